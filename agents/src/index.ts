export type { AgentPlaces } from "./agent-places.ts";
export { findAgents, openAgents, type OpenedAgents } from "./agents-when-needed.ts";
export { withAgents } from "./background/with-agents.ts";
export type { Caller, ChildSession, ChildSessions } from "./child-sessions.ts";
export type { FoundAgents } from "./find-agents.ts";
export { agentsOf, callersOf } from "./lineage.ts";
export type { AgentsOptions } from "./run-agents.ts";

import type { Agents } from "@capstan/ports";
import { type AgentPlaces, agentFiles } from "./agent-places.ts";
import { builtInAgents } from "./built-in-agents.ts";
import type { FoundAgents } from "./find-agents.ts";
import type { AgentsOptions, SessionAgents } from "./run-agents.ts";

/** The agents of one workspace; the code that reads files is loaded where there are any. */
export async function findAgents(places: AgentPlaces): Promise<FoundAgents> {
  const files = await agentFiles(places);
  if (files.length === 0) return { agents: builtInAgents, notices: [] };
  const { readAgents } = await import("./find-agents.ts");
  return await readAgents(files, places.trust);
}

/** The agents that the sessions of a workspace call; the code that runs them is loaded with the first call. */
export function openAgents(options: AgentsOptions): Agents {
  let opened: Promise<SessionAgents> | undefined;
  const open = async (): Promise<SessionAgents> => new (await import("./run-agents.ts")).SessionAgents(options);
  return {
    list: () => options.agents,
    run: async (task) => await (await (opened ??= open())).run(task),
  };
}

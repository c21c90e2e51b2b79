import type { Agents } from "@capstan/ports";
import type { ContextPart, SessionId } from "@capstan/protocol";
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

/** Agents, as whoever has the sessions holds them. */
export interface OpenedAgents extends Agents {
  /** For the model, when a turn begins: who works in the background, and whose report it has not read. */
  context(sessionId: SessionId): Promise<readonly ContextPart[]>;
  /** The session is this process's no more: what works for it stays open. */
  leave(sessionId: SessionId): Promise<void>;
}

/** The agents that the sessions of a workspace call; the code that runs them is loaded with the first call. */
export function openAgents(options: AgentsOptions): OpenedAgents {
  const { sessions } = options;
  let opening: Promise<SessionAgents> | undefined;
  let opened: SessionAgents | undefined;
  const open = (): Promise<SessionAgents> =>
    (opening ??= import("./run-agents.ts").then((code) => (opened = new code.SessionAgents(options))));
  /** Sessions that had called nobody when they were looked at: whom they call from then on is known here. */
  const without = new Set<SessionId>();
  const hasCalled = async (id: SessionId): Promise<boolean> => {
    if (opened !== undefined) return true;
    if (without.has(id) || sessions.isNew(id)) return false;
    const has = (await sessions.list()).some(({ spawnedBy }) => spawnedBy?.sessionId === id);
    if (!has) without.add(id);
    return has;
  };
  return {
    list: () => options.agents,
    run: async (task) => await (await open()).run(task),
    start: async (task) => await (await open()).start(task),
    background: {
      list: async (id) => ((await hasCalled(id)) ? await (await open()).background.list(id) : []),
      report: async (id, ...rest) =>
        (await hasCalled(id)) ? await (await open()).background.report(id, ...rest) : undefined,
      stop: async (id, agent) => ((await hasCalled(id)) ? await (await open()).background.stop(id, agent) : undefined),
      ended: (id) => opened?.background.ended(id),
    },
    context: async (id) => ((await hasCalled(id)) ? await (await open()).background.context(id) : []),
    leave: async (id) => await opened?.background.leave(id),
  };
}

import type { Agent, NoticeRecord } from "@capstan/protocol";
import { readTextFile } from "@capstan/skills";
import { isApproved } from "@capstan/trust";
import { type AgentFile, type AgentPlaces } from "./agent-places.ts";
import { builtInAgents } from "./built-in-agents.ts";
import { maxAgents } from "./limits.ts";
import { readAgent } from "./read-agent.ts";

export interface FoundAgents {
  /** In the order of their names. */
  readonly agents: readonly Agent[];
  readonly notices: readonly Omit<NoticeRecord, "type">[];
}

/**
 * The agents of the user, then those of the workspace, where the user trusts it as it is now, then the built-in ones. Of two of one name
 * the first counts, but no repository takes the place of a built-in one.
 */
export async function readAgents(files: readonly AgentFile[], trust: AgentPlaces["trust"]): Promise<FoundAgents> {
  const found = new Map<string, Agent>();
  const builtIn = new Set(builtInAgents.map(({ name }) => name));
  const notices: Omit<NoticeRecord, "type">[] = [];
  for (const { file, from } of files) {
    if (found.size === maxAgents) break;
    const read = await readTextFile(file);
    if (read === undefined) continue;
    if (from === "workspace" && !isApproved(trust, file, read.sha256)) continue;
    const made = await readAgent(file, from, read.text);
    if (made.type === "wrong") notices.push(leftOut(file, made.problem));
    else if (from === "workspace" && builtIn.has(made.agent.name))
      notices.push(leftOut(file, `an agent of Capstan's own is named ${made.agent.name}`));
    else if (!found.has(made.agent.name)) found.set(made.agent.name, made.agent);
  }
  for (const agent of builtInAgents) if (!found.has(agent.name)) found.set(agent.name, agent);
  return {
    agents: [...found.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    notices,
  };
}

function leftOut(file: string, problem: string): Omit<NoticeRecord, "type"> {
  return { level: "warning", code: "agent.unreadable", text: `the agent ${file} is left out: ${problem}` };
}

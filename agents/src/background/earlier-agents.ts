import type { AgentReport } from "@capstan/ports";
import type { SessionClient, SessionEvent, SessionId } from "@capstan/protocol";
import { AgentWork } from "../agent-work.ts";
import type { ChildSessions } from "../child-sessions.ts";
import { turnOf } from "../follow-work.ts";

/** Who works, and at what. */
export interface WorkSummary {
  readonly id: SessionId;
  readonly agent: string;
  readonly task: string;
}

/** An agent that works, or has worked, in the background of a session, as the journals say. */
interface EarlierAgent {
  readonly summary: WorkSummary;
  /** `null`: it has not ended. */
  readonly report: AgentReport | null;
  /** A result of the session's holds its report. */
  readonly isKnown: boolean;
  /** Opens its session, where it is carried on with. */
  readonly resume: () => Promise<SessionClient>;
}

/** In the order in which they began. */
export async function earlierAgents(sessions: ChildSessions, caller: SessionId): Promise<readonly EarlierAgent[]> {
  const all = (await sessions.list()).filter(({ spawnedBy }) => spawnedBy?.sessionId === caller);
  const found: EarlierAgent[] = [];
  for (const { id, title } of all.toSorted((one, other) => one.createdAt - other.createdAt)) {
    const events = await sessions.events(id);
    const agent = backgroundAgent(events);
    if (agent === undefined) continue;
    const work = new AgentWork(id, turnOf(id));
    for (const event of events) work.add(event);
    const task = title.startsWith(`${agent}: `) ? title.slice(agent.length + 2) : title;
    const report = work.isOver ? work.report() : null;
    found.push({ summary: { id, agent, task }, report, isKnown: false, resume: async () => await sessions.resume(id) });
  }
  if (found.length === 0) return [];
  const reported = reportedIn(await sessions.events(caller));
  return found.map((one) => ({ ...one, isKnown: reported.has(one.summary.id) }));
}

/** The name of the agent, where its caller does not wait for it. */
function backgroundAgent(events: readonly SessionEvent[]): string | undefined {
  for (const { record } of events)
    if (record.type === "session-configured")
      return record.config.agent?.background === true ? record.config.agent.name : undefined;
  return undefined;
}

/** The agents whose reports stand in results. */
export function reportedIn(events: readonly SessionEvent[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { record } of events) {
    if (record.type !== "tool-finished" || !("content" in record.outcome)) continue;
    for (const [, id = ""] of record.outcome.content.matchAll(/; session ([\w-]+)\]/g)) found.add(id);
  }
  return found;
}

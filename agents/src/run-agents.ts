import type { AgentReport, Agents, AgentTask } from "@capstan/ports";
import { inertLine } from "@capstan/patterns";
import { type Agent, type JournalRecord, type SessionClient, ToolRefusal, toTurnId } from "@capstan/protocol";
import { AgentWork } from "./agent-work.ts";
import { childConfig, type Share, shareOf } from "./child-config.ts";
import type { ChildSessions } from "./child-sessions.ts";
import { progressCharacters, titleCharacters } from "./limits.ts";

export interface AgentsOptions {
  readonly agents: readonly Agent[];
  /** Agents that may stand below each other. */
  readonly maxDepth: number;
  readonly sessions: ChildSessions;
}

/** The agents of a workspace, each call in a session of its own. */
export class SessionAgents implements Pick<Agents, "run"> {
  readonly #options: AgentsOptions;
  /** What the agents at work may spend, by the session that calls. */
  readonly #reserved = new Map<string, Set<Share>>();

  constructor(options: AgentsOptions) {
    this.#options = options;
  }

  async run(task: AgentTask): Promise<AgentReport> {
    const { sessions, maxDepth } = this.#options;
    const agent = this.#named(task.agent);
    const caller = sessions.caller(task.sessionId);
    if (caller === undefined) throw refusal("An agent needs a session that calls it.");
    if ((caller.config.agent?.depth ?? 0) >= maxDepth)
      throw refusal(`Agents may stand ${maxDepth} deep, and this one does already: do the work here.`);
    const reserved = this.#reserved.get(task.sessionId) ?? new Set<Share>();
    this.#reserved.set(task.sessionId, reserved);
    const share = shareOf(caller, [...reserved]);
    reserved.add(share);
    try {
      const id = sessions.idOf(task.sessionId, task.callId);
      const client = await sessions.open({
        id,
        title: `${agent.name}: ${inertLine(task.prompt, titleCharacters)}`,
        spawnedBy: { sessionId: task.sessionId, callId: task.callId, agent: agent.name },
        config: childConfig(caller, agent, { share, maxDepth, sessions }),
        origin: caller.origin,
      });
      return await work(client, task, sessions);
    } finally {
      reserved.delete(share);
      if (reserved.size === 0) this.#reserved.delete(task.sessionId);
    }
  }

  #named(name: string): Agent {
    const { agents } = this.#options;
    const agent = agents.find((known) => known.name === name) ?? agents.find((known) => isNamed(known, name));
    if (agent !== undefined) return agent;
    const names = agents.map((known) => known.name).join(", ");
    throw refusal(`There is no agent ${JSON.stringify(name)}. There are: ${names}`);
  }
}

/**
 * Gives the agent its work, once, and follows it to its end. Where the call is given up its work is stopped; where the caller's process
 * closes it stays open, to be carried on with.
 */
async function work(client: SessionClient, task: AgentTask, sessions: ChildSessions): Promise<AgentReport> {
  const { sessionId, callId, prompt, signal, onProgress } = task;
  // The session has this one turn: who opens it again finds it, and sends nothing twice.
  const turnId = toTurnId(`${client.id}-work`);
  const done = new AgentWork(client.id, turnId);
  const frames = client.attach(0)[Symbol.asyncIterator]();
  const stop = (): void => {
    const stopping = sessions.isOpen(sessionId, callId)
      ? frames.return?.()
      : client.submit({ type: "cancel", reason: "interrupted" });
    stopping?.catch(() => undefined);
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    const receipt = await client.submit({ type: "user-input", turnId, content: [{ type: "text", text: prompt }] });
    if (receipt.type === "refused") throw refusal(receipt.reason);
    if (signal.aborted) stop();
    while (!done.isOver) {
      const step = await frames.next();
      if (step.done === true) break;
      if (step.value.type === "closed") return done.report(step.value.reason);
      if (step.value.type !== "record") continue;
      done.add(step.value.event);
      const line = progressOf(step.value.event.record);
      if (line !== undefined) onProgress(inertLine(line, progressCharacters));
    }
    if (!done.isOver) signal.throwIfAborted();
    return done.report();
  } finally {
    signal.removeEventListener("abort", stop);
    await frames.return?.();
    await client.close();
  }
}

function progressOf(record: JournalRecord): string | undefined {
  if (record.type === "tool-decided") return record.action.summary;
  if (record.type !== "interaction-opened") return undefined;
  const { id, request } = record.interaction;
  const what = request.type === "approval" ? request.action.summary : request.type;
  return `waits for an answer (${what}): capstan interactions answer ${id}`;
}

function isNamed({ name }: Agent, wanted: string): boolean {
  return name.toLowerCase() === wanted.toLowerCase().replace(/_agent$/, "");
}

function refusal(text: string): ToolRefusal {
  return new ToolRefusal("rejected", "tool.bad-arguments", text);
}

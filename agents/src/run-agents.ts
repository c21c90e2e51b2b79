import { inertLine } from "@capstan/patterns";
import type { AgentReport, Agents, AgentTask, LoadedSkill, Skills } from "@capstan/ports";
import type { Agent, SessionClient, SessionId } from "@capstan/protocol";
import { loadSkills, withSkills } from "./agent-skills.ts";
import { BackgroundAgents } from "./background/background-agents.ts";
import { childConfig, type Reserved, shareOf } from "./child-config.ts";
import type { Caller, ChildSessions } from "./child-sessions.ts";
import { followWork, giveWork, refusal } from "./follow-work.ts";
import { maxInBackground, titleCharacters } from "./limits.ts";
import { changeSetText } from "./worktrees/change-set.ts";
import { type WorktreePlaces, Worktrees } from "./worktrees/worktrees.ts";

export interface AgentsOptions {
  readonly agents: readonly Agent[];
  /** Agents that may stand below each other. */
  readonly maxDepth: number;
  readonly sessions: ChildSessions;
  /** `null`: there are none. */
  readonly skills: Pick<Skills, "load"> | null;
  readonly worktrees: WorktreePlaces;
}

/** Work for an agent, with all that was found out about it. */
interface Assigned {
  readonly task: AgentTask;
  readonly agent: Agent;
  readonly caller: Caller;
  readonly share: Reserved;
}

/** The agents of a workspace, each call in a session of its own. */
export class SessionAgents implements Omit<Agents, "list"> {
  readonly background: BackgroundAgents;
  readonly #options: AgentsOptions;
  readonly #worktrees: Worktrees;
  /** What the agents at work may spend, by the session that calls. */
  readonly #reserved = new Map<SessionId, Set<Reserved>>();

  constructor(options: AgentsOptions) {
    this.#options = options;
    this.#worktrees = new Worktrees(options.worktrees);
    this.background = new BackgroundAgents(options.sessions, async (report) => await this.#withChanges(report));
  }

  async run(task: AgentTask): Promise<AgentReport> {
    const assigned = this.#assign(task);
    try {
      return await this.#withChanges(await work(await this.#open(assigned), task, this.#options.sessions));
    } finally {
      this.#release(assigned);
    }
  }

  async start(task: AgentTask): Promise<SessionId> {
    const { sessionId } = task;
    const assigned = this.#assign(task);
    let isBegun = false;
    try {
      if (assigned.caller.config.agent !== undefined)
        throw refusal("An agent waits for those it calls: leave background out.");
      const id = this.#options.sessions.idOf(sessionId, task.callId);
      if (!this.background.mayBegin(sessionId, id))
        throw refusal(`${maxInBackground} agents work in the background already. Wait for one of them, or stop one.`);
      const client = await this.#open(assigned);
      await giveWork(client, task.prompt);
      const summary = { id, agent: assigned.agent.name, task: inertLine(task.prompt, titleCharacters) };
      this.background.follow(sessionId, summary, client, () => this.#release(assigned));
      isBegun = true;
      return id;
    } finally {
      if (!isBegun) this.#release(assigned);
    }
  }

  #assign(task: AgentTask): Assigned {
    const { sessions, maxDepth } = this.#options;
    const agent = this.#named(task.agent);
    const caller = sessions.caller(task.sessionId);
    if (caller === undefined) throw refusal("An agent needs a session that calls it.");
    const { subagents } = caller.config.agent ?? {};
    if (subagents !== undefined && !subagents.includes(agent.name))
      throw refusal(`This agent may not call ${agent.name}. It may call: ${subagents.join(", ") || "none"}`);
    if ((caller.config.agent?.depth ?? 0) >= maxDepth)
      throw refusal(`Agents may stand ${maxDepth} deep, and this one does already: do the work here.`);
    const reserved = this.#reserved.get(task.sessionId) ?? new Set<Reserved>();
    this.#reserved.set(task.sessionId, reserved);
    const isBackground = task.background === true;
    // In the background only the call of this moment is open, and it ends at once.
    const share = { ...shareOf(caller, [...reserved], isBackground), isCallOpen: !isBackground };
    reserved.add(share);
    return { task, agent, caller, share };
  }

  #release({ task: { sessionId }, share }: Assigned): void {
    const reserved = this.#reserved.get(sessionId);
    reserved?.delete(share);
    if (reserved?.size === 0) this.#reserved.delete(sessionId);
  }

  async #open({ task, agent, caller, share }: Assigned): Promise<SessionClient> {
    const { sessions, maxDepth } = this.#options;
    const { variables } = task;
    const config = childConfig(caller, agent, {
      share,
      maxDepth,
      sessions,
      ...(variables === undefined ? {} : { variables }),
    });
    const background = task.background === true ? ({ background: true } as const) : {};
    const id = sessions.idOf(task.sessionId, task.callId);
    const skills = await this.#skillsOf(agent, id);
    const isApart = (task.isolation ?? agent.isolation) === "worktree" && config.mode !== "plan";
    const from = { id: task.sessionId, workspace: caller.workspace };
    const workspace = isApart ? { workspace: await this.#worktrees.open(id, from) } : {};
    return await sessions.open({
      id,
      ...workspace,
      title: `${agent.name}: ${inertLine(task.prompt, titleCharacters)}`,
      spawnedBy: { sessionId: task.sessionId, callId: task.callId, agent: agent.name },
      config: withSkills({ ...config, agent: { ...config.agent, ...background } }, skills),
      origin: caller.origin,
    });
  }

  /** A session that is there already keeps those that it has, whatever became of their files. */
  async #skillsOf(agent: Agent, id: SessionId): Promise<readonly LoadedSkill[]> {
    if (agent.skills === undefined) return [];
    const isThere = (await this.#options.sessions.list()).some((one) => one.id === id);
    return isThere ? [] : await loadSkills(agent, this.#options.skills);
  }

  /** What an agent with a working tree of its own changed is no change of its caller's files. */
  async #withChanges(report: AgentReport): Promise<AgentReport> {
    const { sessionId } = report;
    const changes = await this.#worktrees.changes(sessionId, `Work of the agent of session ${sessionId}`);
    if (changes === undefined) return report;
    if (changes === null) return { ...report, effects: [] };
    const { branch, folder, files, conflicts } = changes;
    return {
      ...report,
      text: `${report.text}\n\n${changeSetText(changes)}`,
      effects: [],
      changed: `${files.length} changed on the branch ${branch}`,
      details: {
        changeSet: {
          branch,
          folder,
          files: [...files],
          conflicts: conflicts.map((one) => ({ with: one.with, files: [...one.files] })),
        },
      },
    };
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
  const followed = followWork(client, onProgress);
  const stop = (): void => {
    if (sessions.isOpen(sessionId, callId)) return followed.leave();
    client.submit({ type: "cancel", reason: "interrupted" }).catch(() => undefined);
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    await giveWork(client, prompt);
    if (signal.aborted) stop();
    const { report, isOver } = await followed.ended;
    if (!isOver) signal.throwIfAborted();
    return report;
  } finally {
    signal.removeEventListener("abort", stop);
    followed.leave();
    await client.close();
  }
}

function isNamed({ name }: Agent, wanted: string): boolean {
  return name.toLowerCase() === wanted.toLowerCase().replace(/_agent$/, "");
}

import type { Agent, FileEffect, JsonObject, SessionId, Spent, ToolCallId, TurnOutcome } from "@capstan/protocol";

/** Work for an agent, by a call of a session. */
export interface AgentTask {
  readonly sessionId: SessionId;
  readonly callId: ToolCallId;
  readonly agent: string;
  readonly prompt: string;
  /** Its caller does not wait for it. */
  readonly background?: boolean;
  /** It works in a working tree of its own, and its changes come back as a branch. */
  readonly isolation?: "worktree";
  /** Ends its work. */
  readonly signal: AbortSignal;
  /** What it is at, a line at a time, for people. */
  readonly onProgress: (line: string) => void;
}

/** How an agent's work ended. */
export interface AgentReport {
  readonly outcome: TurnOutcome;
  /** What it said last; where it did not come to its end, why. */
  readonly text: string;
  readonly sessionId: SessionId;
  readonly toolCalls: number;
  readonly spent: Spent;
  /** What it did to files, each from before its work to after it. */
  readonly effects: readonly FileEffect[];
  /** What it changed elsewhere, in a few words; absent: only what `effects` say. */
  readonly changed?: string;
  readonly details?: JsonObject;
}

/** An agent that its caller does not wait for. */
export interface BackgroundAgent {
  /** Of its session. */
  readonly id: SessionId;
  readonly agent: string;
  /** The beginning of what it is to do. */
  readonly task: string;
  /** What it is at; `null`: it has ended. */
  readonly at: string | null;
  /** How it ended, its report's first word; `null`: it works. */
  readonly outcome: TurnOutcome | null;
}

/**
 * Agents that work while the session that called them does something else.
 *
 * Contract:
 * - They are found again by another process after a crash: those that work are carried on with when they are first asked about, or when
 *   the next turn begins, and never begun twice.
 * - Each report is handed out once by `ended` or `report`, whichever comes first, over all processes of the session: `isNew` says whether this is
 *   that time. What is not journaled in a result of the session's is handed out again.
 * - The end of a session in this process leaves them open; the cancel of its turn stops them.
 */
export interface AgentsInBackground {
  list(sessionId: SessionId): Promise<readonly BackgroundAgent[]>;
  /** Resolves when it has ended, or with `null` when the signal aborts before; `undefined`: there is no such agent. */
  report(sessionId: SessionId, id: string, signal: AbortSignal): Promise<LateReport | null | undefined>;
  /** Stops it; resolves when nothing of it runs. `undefined`: there is no such agent. */
  stop(sessionId: SessionId, id: string): Promise<LateReport | undefined>;
  /** The next report that the session's model does not know of. */
  ended(sessionId: SessionId): LateReport | undefined;
}

/** A report that comes after the call that asked for the work. */
export interface LateReport extends AgentReport {
  readonly agent: string;
  /** The session's model reads it for the first time. */
  readonly isNew: boolean;
}

/**
 * Agents that do work in sessions of their own.
 *
 * Contract:
 * - `list` answers at once, always in the same order.
 * - `run` is the same work for the same call, also in another process after a crash: it is carried on with, never begun twice, and once
 *   it has ended its report is the same.
 * - An agent has at most the authority and what is left of the budget of the session that calls.
 */
export interface Agents {
  list(): readonly Agent[];
  /** @throws ToolRefusal where there is no such agent, or none may be called from there; the signal's reason, once nothing of it runs */
  run(task: AgentTask): Promise<AgentReport>;
  /** Begins work and does not wait for it; resolves with its session when that has the task. @throws ToolRefusal as `run` does */
  start(task: AgentTask): Promise<SessionId>;
  readonly background: AgentsInBackground;
}

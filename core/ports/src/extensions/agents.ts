import type { Agent, FileEffect, JsonObject, SessionId, Spent, ToolCallId, TurnOutcome } from "@capstan/protocol";

/** Work for an agent, by a call of a session. */
export interface AgentTask {
  readonly sessionId: SessionId;
  readonly callId: ToolCallId;
  readonly agent: string;
  readonly prompt: string;
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
  readonly details?: JsonObject;
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
}

import type { AgentsInBackground, BackgroundAgent, ToolResult, ToolRunContext } from "@capstan/ports";
import { type JsonObject, type SessionId } from "@capstan/protocol";
import { maxWaitSeconds, usualWaitSeconds } from "../background/limits.ts";
import { lateResult } from "./agent-result.ts";

/** What `command_output` says of an agent in the background, or does to it; `null`: the id is none of one. */
export async function agentOutput(
  { id, stop, wait_seconds: wait }: JsonObject,
  { sessionId, signal }: ToolRunContext,
  agents: AgentsInBackground | undefined,
): Promise<ToolResult | null> {
  if (agents === undefined || sessionId === null || typeof id !== "string") return null;
  if (stop === true) {
    const stopped = await agents.stop(sessionId, id);
    return stopped === undefined ? null : { ...lateResult(stopped), status: "ok" };
  }
  const seconds = typeof wait === "number" ? wait : usualWaitSeconds;
  const timeOver = AbortSignal.timeout(Math.min(Math.max(seconds, 0), maxWaitSeconds) * 1000);
  const report = await agents.report(sessionId, id, AbortSignal.any([timeOver, signal]));
  signal.throwIfAborted();
  if (report === undefined) return null;
  if (report !== null) return lateResult(report);
  const one = (await agents.list(sessionId)).find((known) => known.id === id);
  return { status: "ok", content: one === undefined ? `${id} was left.` : agentLine(one) };
}

/** A line for each agent in the background. */
export async function agentLines(
  sessionId: SessionId,
  agents: AgentsInBackground | undefined,
): Promise<readonly string[]> {
  return agents === undefined ? [] : (await agents.list(sessionId)).map(agentLine);
}

function agentLine({ id, agent, task, at, outcome }: BackgroundAgent): string {
  return `${id} (agent ${agent}: ${task}): ${outcome ?? `working; ${at ?? ""}`}`;
}

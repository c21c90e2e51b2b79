import type { HookAnswer, HookRecord } from "@capstan/protocol";
import { hookPoint } from "./hook-catalog.ts";
import type { OpenRun } from "./hook-memory.ts";

/**
 * The end of a run that was cut off. A hook is not run twice for it: what it would have said of a call is asked of a user. `unknown`: the process
 * died.
 */
export function cutOff(run: OpenRun, result: "unknown" | "cancelled"): HookRecord {
  const { runId, event, hooks } = run;
  const outcomes = hooks.map((hook) => ({ ...hook, result, durationMs: 0 }));
  return { type: "hook-finished", runId, event, outcomes, answer: answerOf(run, result) };
}

function answerOf({ event }: OpenRun, result: "unknown" | "cancelled"): HookAnswer {
  if (result === "cancelled" || !hookPoint(event).may.includes("verdict")) return {};
  const reason = "The process ended while a hook was asked about this call, and its answer is not known.";
  return { verdict: { verdict: "ask", reason, by: "user" } };
}

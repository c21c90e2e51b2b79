import type { FinishReason, JournalRecord } from "@capstan/protocol";
import { problemOf, type RpcProblem } from "../peer/rpc-error.ts";

type TurnEnded = Extract<JournalRecord, { type: "turn-ended" }>;

export type StopReason = "end_turn" | "max_tokens" | "max_turn_requests" | "refusal" | "cancelled";

/**
 * What a prompt is answered when its turn has ended: why the model stopped, or what went wrong.
 * @param reason  why the last answer of the turn ended
 */
export function stopOf(ended: TurnEnded, reason: FinishReason | null): StopReason | RpcProblem {
  switch (ended.outcome) {
    case "done":
    case "proposed":
    case "tool-denied":
    case "parked":
      return "end_turn";
    case "limit-reached":
      return reason === "length" ? "max_tokens" : "max_turn_requests";
    case "loop-detected":
      return "max_turn_requests";
    case "interrupted":
    case "terminated":
    case "timeout":
      return "cancelled";
    case "error":
      return reason === "refusal" || reason === "content-filter" ? "refusal" : failureOf(ended);
    case "provider-failed":
    case "outcome-unknown":
      return failureOf(ended);
  }
}

function failureOf({ outcome, message, failure }: TurnEnded): RpcProblem {
  if (failure !== undefined) return problemOf(failure);
  return problemOf({ code: `turn.${outcome}`, message: message ?? `the turn ended: ${outcome}` });
}

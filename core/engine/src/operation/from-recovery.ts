import type { JournalRecord } from "@capstan/protocol";
import { unreachable } from "@capstan/protocol";
import { advanceBatch } from "../tool-loop/advance-batch.ts";
import { finished } from "../tool-loop/finish-call.ts";
import { outcomes } from "../tool-loop/outcome-texts.ts";
import { cancelReason, cancelTurn } from "../turn/cancel-turn.ts";
import { endTurn } from "../turn/end-turn.ts";
import { andThen, type Decision, decision, nothing } from "./decision.ts";
import type { Operation, SessionState } from "./state.ts";
import type { Stimulus } from "./stimulus.ts";

type Recovery = Extract<Operation, { type: "recovery" }>;

/** Calls were running when the process died, and a person is asked what to make of them. */
export function fromRecovery(state: SessionState, operation: Recovery, stimulus: Stimulus): Decision {
  const { turn, interactionId } = operation;
  const cancelled = cancelReason(stimulus, turn);
  if (cancelled !== null) return cancelTurn(state, cancelled);
  if (stimulus.type !== "submission" || stimulus.submission.type !== "answer") return nothing;
  const { answer } = stimulus.submission;
  if (stimulus.submission.interactionId !== interactionId) return nothing;
  const resolved: JournalRecord = { type: "interaction-resolved", interactionId, answer, origin: stimulus.origin };
  switch (answer.type) {
    case "accept-as-done":
      return andThen(state, decision([resolved, ...answerRunning(operation, "accept")]), advanceBatch);
    case "tell-model":
      return andThen(state, decision([resolved, ...answerRunning(operation, "unknown")]), advanceBatch);
    case "discard":
      return andThen(state, decision([resolved, ...answerRunning(operation, "unknown")]), (next) =>
        endTurn(next, { outcome: "outcome-unknown", message: "the interrupted calls were discarded" }),
      );
    case "approve":
    case "deny":
    case "continue":
    case "stop":
      return nothing;
    default:
      return unreachable(answer);
  }
}

function answerRunning({ batch }: Recovery, verdict: "accept" | "unknown"): readonly JournalRecord[] {
  return batch.calls.flatMap((pending) => {
    if (pending.type !== "running") return [];
    return [finished(pending.call.callId, verdict === "accept" ? outcomes.acceptedAsDone : outcomes.unknown)];
  });
}

import type { InteractionAnswer, JournalRecord, Origin } from "@capstan/protocol";
import { unreachable } from "@capstan/protocol";
import { acceptedAsDone, callsInDoubt, leftUnknown, restarted } from "../recovery/calls-in-doubt.ts";
import { goOn, settleRest } from "../recovery/settle-calls.ts";
import { planRewind } from "../rewind/plan-rewind.ts";
import { cancelReason, cancelTurn } from "../turn/cancel-turn.ts";
import { endTurn } from "../turn/end-turn.ts";
import { andThen, type Decision, decision, nothing } from "./decision.ts";
import type { Operation, SessionState } from "./state.ts";
import type { Stimulus } from "./stimulus.ts";

type Recovery = Extract<Operation, { type: "recovery" }>;

/** Calls were running when the process died, and a person is asked what to make of them. */
export function fromRecovery(state: SessionState, operation: Recovery, stimulus: Stimulus): Decision {
  const cancelled = cancelReason(stimulus, operation.turn);
  if (cancelled !== null) return cancelTurn(state, cancelled);
  if (stimulus.type === "process-restarted") return afterRestart(state, operation);
  if (stimulus.type !== "submission" || stimulus.submission.type !== "answer") return nothing;
  const { interactionId, answer } = stimulus.submission;
  return interactionId === operation.interactionId ? afterAnswer(state, operation, answer, stimulus.origin) : nothing;
}

/** The question waits on, unless the session now runs where nobody is asked. */
function afterRestart(state: SessionState, { interactionId }: Recovery): Decision {
  if (state.config?.onUnknown === "ask") return nothing;
  const withdrawn: JournalRecord = {
    type: "interaction-resolved",
    interactionId,
    answer: { type: "void" },
    origin: { face: "engine" },
  };
  return andThen(state, decision([withdrawn]), settleRest);
}

function afterAnswer(
  state: SessionState,
  { interactionId, batch }: Recovery,
  answer: InteractionAnswer,
  origin: Origin,
): Decision {
  const resolved: JournalRecord = { type: "interaction-resolved", interactionId, answer, origin };
  const inDoubt = callsInDoubt(batch);
  switch (answer.type) {
    case "accept-as-done":
      return andThen(state, decision([resolved, ...inDoubt.map(acceptedAsDone)]), goOn);
    case "run-again":
      return andThen(state, decision([resolved, ...inDoubt.map(({ call }) => restarted(call.callId, "chosen"))]), goOn);
    case "tell-model":
      return andThen(state, decision([resolved, ...inDoubt.map(leftUnknown)]), goOn);
    case "undo": {
      const effects = inDoubt.flatMap((running) => running.probed?.effects ?? []);
      const { files } = planRewind([effects]);
      return decision([resolved], [{ type: "restore-files", restoreId: interactionId, files }]);
    }
    case "discard":
      return andThen(state, decision([resolved, ...inDoubt.map(leftUnknown)]), (next) =>
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

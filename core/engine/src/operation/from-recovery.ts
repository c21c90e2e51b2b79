import type { JournalRecord, Origin, Submission } from "@capstan/protocol";
import { unreachable } from "@capstan/protocol";
import { acceptedAsDone, callsInDoubt, leftUnknown, restarted } from "../recovery/calls-in-doubt.ts";
import { goOn, settleRest, takeBack } from "../recovery/settle-calls.ts";
import { answerProblem } from "../interactions/check-answer.ts";
import { cancelReason, cancelTurn } from "../turn/cancel-turn.ts";
import { endTurn } from "../turn/end-turn.ts";
import { expiryTimer } from "../turn/timers.ts";
import { andThen, type Decision, decision, nothing } from "./decision.ts";
import type { Operation, SessionState } from "./state.ts";
import type { Stimulus } from "./stimulus.ts";

type Recovery = Extract<Operation, { type: "recovery" }>;

/** Calls were running when the process died, and a person is asked what to make of them. */
export function fromRecovery(state: SessionState, operation: Recovery, stimulus: Stimulus): Decision {
  const cancelled = cancelReason(stimulus, operation.turn);
  if (cancelled !== null) return cancelTurn(state, cancelled);
  if (stimulus.type === "process-restarted") return afterRestart(state, operation);
  if (stimulus.type === "timer-fired") return afterExpiry(state, operation, stimulus.timerId);
  if (stimulus.type !== "submission" || stimulus.submission.type !== "answer") return nothing;
  const { interactionId, answer } = stimulus.submission;
  if (interactionId !== operation.interaction.id) return nothing;
  if (answerProblem(operation.interaction, answer, stimulus.origin, state.now) !== null) return nothing;
  return afterAnswer(state, operation, stimulus.submission, stimulus.origin);
}

/** Nobody answered in time: what is in doubt stays so, and the turn ends. */
function afterExpiry(state: SessionState, { interaction, batch }: Recovery, timerId: string): Decision {
  if (timerId !== expiryTimer(interaction.id)) return nothing;
  const expired: JournalRecord = {
    type: "interaction-resolved",
    interactionId: interaction.id,
    answer: { type: "expired" },
    origin: { face: "engine" },
  };
  return andThen(state, decision([expired, ...callsInDoubt(batch).map(leftUnknown)]), (next) =>
    endTurn(next, { outcome: "outcome-unknown", message: "nobody said in time what to make of the interrupted calls" }),
  );
}

/** The question waits on, unless the session now runs where nobody is asked. */
function afterRestart(state: SessionState, { interaction }: Recovery): Decision {
  if (state.config?.onUnknown === "ask") return nothing;
  const withdrawn: JournalRecord = {
    type: "interaction-resolved",
    interactionId: interaction.id,
    answer: { type: "void" },
    origin: { face: "engine" },
  };
  return andThen(state, decision([withdrawn]), settleRest);
}

function afterAnswer(
  state: SessionState,
  { batch }: Recovery,
  { interactionId, answer, answerId }: Extract<Submission, { type: "answer" }>,
  origin: Origin,
): Decision {
  const by = answerId === undefined ? {} : { answerId };
  const resolved: JournalRecord = { type: "interaction-resolved", interactionId, answer, origin, ...by };
  const inDoubt = callsInDoubt(batch);
  switch (answer.type) {
    case "accept-as-done":
      return andThen(state, decision([resolved, ...inDoubt.map(acceptedAsDone)]), goOn);
    case "run-again":
      return andThen(state, decision([resolved, ...inDoubt.map(({ call }) => restarted(call.callId, "chosen"))]), goOn);
    case "tell-model":
      return andThen(state, decision([resolved, ...inDoubt.map(leftUnknown)]), goOn);
    case "undo":
      return decision([resolved], [takeBack(batch, interactionId)]);
    case "discard":
      return andThen(state, decision([resolved, ...inDoubt.map(leftUnknown)]), (next) =>
        endTurn(next, { outcome: "outcome-unknown", message: "the interrupted calls were discarded" }),
      );
    case "approve":
    case "edit":
    case "reply":
    case "plan":
    case "deny":
    case "continue":
    case "stop":
      return nothing;
    default:
      return unreachable(answer);
  }
}

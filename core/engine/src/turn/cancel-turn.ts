import type { CancelReason } from "@capstan/protocol";
import { andThen, type Decision, decision } from "../model/decision.ts";
import type { Effect } from "../model/effect.ts";
import type { OpenTurn, SessionState } from "@capstan/session";
import type { Stimulus } from "../model/stimulus.ts";
import { abandonedStep } from "./abandoned-step.ts";
import { endTurn } from "./end-turn.ts";
import { deadlineTimer, retryTimer } from "./timers.ts";

/** Why the stimulus stops this turn: a user's request, or its time is up; `null` when it does not. */
export function cancelReason(stimulus: Stimulus, turn: OpenTurn): CancelReason | null {
  if (stimulus.type === "submission") {
    const { submission } = stimulus;
    if (submission.type !== "cancel") return null;
    return submission.turnId === undefined || submission.turnId === turn.turnId ? submission.reason : null;
  }
  return stimulus.type === "timer-fired" && stimulus.timerId === deadlineTimer(turn.turnId) ? "timeout" : null;
}

/** Stops whatever runs, answers every open call as cancelled, and ends the turn: the one abort path. */
export function cancelTurn(state: SessionState, outcome: CancelReason): Decision {
  const { operation } = state;
  const isOpen = operation.type === "streaming" && operation.step.abandoned !== true;
  const cut = isOpen ? [abandonedStep(operation.step, "cancelled")] : [];
  const stopped = decision(cut, stopEffects(state));
  return andThen(state, stopped, (next) => endTurn(next, { outcome, message: messages[outcome] }));
}

const messages: Readonly<Record<CancelReason, string>> = {
  interrupted: "the turn was interrupted",
  timeout: "the turn's time was up",
  terminated: "the process was asked to terminate",
};

function stopEffects({ operation }: SessionState): readonly Effect[] {
  if (operation.type === "streaming") {
    const { step } = operation;
    if (step.abandoned === true) return [];
    return [
      step.waiting ? { type: "stop-timer", timerId: retryTimer(step) } : { type: "stop-model", stepId: step.stepId },
    ];
  }
  if (operation.type === "compacting")
    return [
      { type: "stop-model", stepId: operation.stepId },
      { type: "stop-timer", timerId: retryTimer(operation) },
    ];
  if (operation.type !== "tool-loop") return [];
  const callIds = operation.batch.calls.flatMap((pending) => (pending.type === "settled" ? [] : [pending.call.callId]));
  return callIds.length === 0 ? [] : [{ type: "stop-tools", callIds }];
}

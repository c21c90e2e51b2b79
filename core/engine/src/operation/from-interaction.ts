import { answerProblem } from "../interactions/check-answer.ts";
import { cancelReason, cancelTurn } from "../turn/cancel-turn.ts";
import { endTurn } from "../turn/end-turn.ts";
import { startStep } from "../turn/start-step.ts";
import { expiryTimer } from "../turn/timers.ts";
import { andThen, type Decision, decision, nothing } from "./decision.ts";
import type { Operation, SessionState } from "./state.ts";
import type { Stimulus } from "./stimulus.ts";

type Waiting = Extract<Operation, { type: "interaction" }>;

/** A limit of the turn was reached and a person is asked whether to go on. */
export function fromInteraction(state: SessionState, { turn, interaction }: Waiting, stimulus: Stimulus): Decision {
  const cancelled = cancelReason(stimulus, turn);
  if (cancelled !== null) return cancelTurn(state, cancelled);
  // The session now runs where nobody is asked.
  if (stimulus.type === "process-restarted" && state.config?.attendance !== "ask") {
    return endTurn(state, { outcome: "limit-reached", message: "a limit was reached and nobody is there to ask" });
  }
  if (stimulus.type === "timer-fired" && stimulus.timerId === expiryTimer(interaction.id)) {
    return endTurn(state, { outcome: "limit-reached", message: "a limit was reached and nobody answered in time" });
  }
  if (stimulus.type !== "submission" || stimulus.submission.type !== "answer") return nothing;
  const { interactionId, answer, answerId } = stimulus.submission;
  if (interactionId !== interaction.id) return nothing;
  if (answerProblem(interaction, answer, stimulus.origin, state.now) !== null) return nothing;
  const by = answerId === undefined ? {} : { answerId };
  const resolved = decision(
    [{ type: "interaction-resolved", interactionId, answer, origin: stimulus.origin, ...by }],
    interaction.expiresAt === null ? [] : [{ type: "stop-timer", timerId: expiryTimer(interaction.id) }],
  );
  if (answer.type === "continue") return andThen(state, resolved, startStep);
  if (answer.type === "stop")
    return andThen(state, resolved, (next) =>
      endTurn(next, { outcome: "limit-reached", message: "a limit was reached and a person chose to stop" }),
    );
  return nothing;
}

import { andThen, type Decision, nothing } from "../model/decision.ts";
import type { SessionState } from "@capstan/session";
import type { Stimulus } from "../model/stimulus.ts";
import { endTurn } from "../turn/end-turn.ts";
import { endingOf, type Resolution, resolve } from "../turn/interactions/resolve-interaction.ts";
import { startStep } from "../turn/start-step.ts";

/** A limit of the turn was reached, and a user is asked whether the turn should continue. */
export function fromInteraction(state: SessionState, stimulus: Stimulus): Decision {
  // The session now runs where nobody is asked.
  if (stimulus.type === "process-restarted" && state.config?.askPolicy !== "ask")
    return endAtLimit(state, "nobody is there to ask");
  const ending = endingOf(state, stimulus);
  return ending === null ? nothing : andThen(state, resolve(ending), (next) => follow(next, ending.answer));
}

function follow(state: SessionState, answer: Resolution): Decision {
  if (answer.type === "continue") return startStep(state);
  return endAtLimit(state, answer.type === "expired" ? "nobody answered in time" : "a user chose to stop");
}

function endAtLimit(state: SessionState, reason: string): Decision {
  return endTurn(state, { outcome: "limit-reached", message: `a limit was reached and ${reason}` });
}

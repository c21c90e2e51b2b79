import { unreachable } from "@capstan/protocol";
import { andThen, type Decision, decision, nothing } from "../model/decision.ts";
import type { Operation, SessionState } from "@capstan/session";
import type { Stimulus } from "../model/stimulus.ts";
import { endTurn } from "../turn/end-turn.ts";
import { type Ending, endingOf, resolve, withdraw } from "../turn/interactions/resolve-interaction.ts";
import { acceptedAsDone, callsInDoubt, leftUnknown } from "../turn/recovery/calls-in-doubt.ts";
import { proceed, runAgain, settleRest, takeBack } from "../turn/recovery/settle-calls.ts";

type Recovery = Extract<Operation, { type: "recovery" }>;

/** Calls were running when the process died, and a user is asked what to make of them. */
export function fromRecovery(state: SessionState, operation: Recovery, stimulus: Stimulus): Decision {
  const { interaction } = operation;
  // The question waits on, unless the session now runs where nobody is asked.
  if (stimulus.type === "process-restarted")
    return state.config?.onUnknown === "ask" ? nothing : andThen(state, withdraw(interaction), settleRest);
  const ending = endingOf(state, stimulus);
  return ending === null ? nothing : andThen(state, resolve(ending), (next) => follow(next, operation, ending));
}

function follow(state: SessionState, { turn, batch }: Recovery, { interaction, answer }: Ending): Decision {
  const inDoubt = callsInDoubt(batch);
  const unknown = decision(inDoubt.map(leftUnknown));
  switch (answer.type) {
    case "accept-as-done":
      return andThen(state, decision(inDoubt.map(acceptedAsDone)), proceed);
    case "run-again":
      return runAgain(state, { turn }, inDoubt);
    case "tell-model":
      return andThen(state, unknown, proceed);
    case "undo":
      return decision([], [takeBack(batch, interaction.id)]);
    case "discard":
      return andThen(state, unknown, (next) => endInDoubt(next, "the interrupted calls were discarded"));
    // Nobody answered in time: what is in doubt stays so.
    case "expired":
      return andThen(state, unknown, (next) =>
        endInDoubt(next, "nobody said in time what to make of the interrupted calls"),
      );
    case "approve":
    case "edit":
    case "reply":
    case "plan":
    case "deny":
    case "continue":
    case "stop":
    case "void":
      return nothing;
    default:
      return unreachable(answer);
  }
}

function endInDoubt(state: SessionState, message: string): Decision {
  return endTurn(state, { outcome: "outcome-unknown", message });
}

import type { TurnId } from "@capstan/protocol";
import { openTurnOf } from "./open-turn-of.ts";
import type { SessionState } from "./state.ts";

/**
 * Whether what is open, or waits to begin, is what somebody waits for who sent words with this id: the words' own turn, the turn that they
 * steered, or the one that carries out the plan of their turn.
 */
export function isConcerned(state: SessionState, inputId: TurnId): boolean {
  const open = openTurnOf(state);
  return (
    open?.turnId === inputId ||
    open?.follows === inputId ||
    open?.steering.some((words) => words.inputId === inputId) === true ||
    state.queued.some(({ turnId }) => turnId === inputId) ||
    state.approvedPlan?.follows === inputId
  );
}

import type { TurnId } from "@capstan/protocol";
import type { OpenTurn, SessionState } from "./state.ts";

/** The turn under way, whatever it is doing. */
export function openTurnOf({ operation }: SessionState): OpenTurn | null {
  return operation.type === "idle" ||
    operation.type === "summarizing" ||
    operation.type === "rewinding" ||
    operation.type === "applying"
    ? null
    : operation.turn;
}

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

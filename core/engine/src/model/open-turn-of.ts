import type { OpenTurn, SessionState } from "./state.ts";

/** The turn under way, whatever it is doing. */
export function openTurnOf({ operation }: SessionState): OpenTurn | null {
  return operation.type === "idle" || operation.type === "summarizing" || operation.type === "rewinding"
    ? null
    : operation.turn;
}

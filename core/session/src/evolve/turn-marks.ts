import type { TurnId } from "@capstan/protocol";
import type { TurnMark } from "../model/marks.ts";
import type { SessionState } from "../model/state.ts";
import { replaced } from "./growing-lists.ts";

/** The state with the mark of a turn changed; as it was where there is no such turn. */
export function withMark(state: SessionState, turnId: TurnId, change: (mark: TurnMark) => TurnMark): SessionState {
  const at = state.turns.findLastIndex((mark) => mark.turnId === turnId || mark.joined?.includes(turnId) === true);
  const mark = state.turns[at];
  return mark === undefined ? state : { ...state, turns: replaced(state.turns, at, change(mark)) };
}

import type { JournalRecord, Origin, UserContent, TurnId } from "@capstan/protocol";
import { type Decision, decision, nothing } from "../model/decision.ts";
import { openTurnOf, type SessionState } from "@capstan/session";

/** Hands words to the open turn. */
export function steerTurn(
  state: SessionState,
  input: { readonly inputId: TurnId; readonly content: readonly UserContent[]; readonly origin: Origin },
): Decision {
  const turn = openTurnOf(state);
  return turn === null ? nothing : decision([{ type: "turn-steered", turnId: turn.turnId, ...input }]);
}

/** Whether words came that the model has not read: the turn does not end before. */
export function isSteered(state: SessionState): boolean {
  return openTurnOf(state)?.steering.some(({ isRead }) => !isRead) === true;
}

/**
 * Words that came for a turn which ends without their being read, or which leaves no trace, go back to whoever wrote them.
 * @param all  also those that were read: the conversation forgets them
 */
export function steeringHandedBack(state: SessionState, origin: Origin, all: boolean): readonly JournalRecord[] {
  const steering = openTurnOf(state)?.steering ?? [];
  return steering.flatMap(({ inputId, content, isRead }): readonly JournalRecord[] =>
    isRead && !all
      ? []
      : [{ type: "queue-changed", turnId: inputId, change: { type: "handed-back", content }, origin }],
  );
}

/** What waits leaves the queue and goes back to whoever wrote it. */
export function handBackQueue({ queued }: SessionState, origin: Origin): Decision {
  return decision(
    queued.map(({ turnId, content }) => ({
      type: "queue-changed",
      turnId,
      change: { type: "handed-back", content },
      origin,
    })),
  );
}

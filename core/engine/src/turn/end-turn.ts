import type { JournalRecord, ProviderFailure, TurnOutcome } from "@capstan/protocol";
import { answerOpenCalls } from "./tool-loop/finish-call.ts";
import { type Decision, decision, nothing, together } from "../model/decision.ts";
import { type OpenTurn, openTurnOf, pendingInteractions, type SessionState } from "@capstan/session";
import { withdraw } from "./interactions/resolve-interaction.ts";
import { deadlineTimer } from "./timers.ts";
import { steeringHandedBack } from "./steer-turn.ts";

export interface TurnEnd {
  readonly outcome: TurnOutcome;
  readonly message?: string;
  readonly failure?: ProviderFailure;
}

/**
 * Ends the turn: every open call is answered, every open question withdrawn.
 * A turn that fails, or that a user interrupts, before any tool ran leaves the conversation as before it and hands the user's words back as a draft.
 */
export function endTurn(state: SessionState, end: TurnEnd): Decision {
  const turn = openTurnOf(state);
  if (turn === null) return nothing;
  const { turnId } = turn;
  const rolledBack = !turn.toolRan && leavesNoTrace(state, turn, end.outcome);
  const draft = rolledBack ? { draft: turn.content } : {};
  const ended: JournalRecord = { type: "turn-ended", turnId, ...end, rolledBack, ...draft };
  const isTimed = (state.config?.limits.maxTurnDurationMs ?? null) !== null;
  return together([
    ...pendingInteractions(state.operation).map(withdraw),
    decision(
      [...answerOpenCalls(state, end.outcome), ...steeringHandedBack(state, { frontend: "engine" }, rolledBack), ended],
      isTimed ? [{ type: "stop-timer", timerId: deadlineTimer(turnId) }] : [],
    ),
  ]);
}

/** A turn whose answer is whole: `done`, unless something it wanted to do was refused, or only proposed, on the way. */
export function wholeTurn(state: SessionState): TurnEnd {
  const denied = openTurnOf(state)?.deniedCalls ?? 0;
  const proposals = openTurnOf(state)?.proposals ?? 0;
  if (denied === 0) return { outcome: proposals === 0 ? "done" : "proposed" };
  return {
    outcome: "tool-denied",
    message: denied === 1 ? "a tool call was denied" : `${denied} tool calls were denied`,
  };
}

function leavesNoTrace(state: SessionState, turn: OpenTurn, outcome: TurnOutcome): boolean {
  switch (outcome) {
    case "done":
    case "proposed":
    case "tool-denied":
    case "limit-reached":
    case "loop-detected":
    case "outcome-unknown":
    case "parked":
      return false;
    case "error":
    case "provider-failed":
      return true;
    // Whoever interrupts wants their words back, to say them better. What was shown of the answer stays to be read, in its record.
    case "interrupted":
      return turn.follows === null ? !wasAnswered(state, turn) : showedNothing(state, turn);
    // What a clock or a signal stopped after some of it was shown stays; what showed nothing is as if it had not been asked.
    case "timeout":
    case "terminated":
      return showedNothing(state, turn);
  }
}

function showedNothing({ conversation }: SessionState, turn: OpenTurn): boolean {
  return conversation.slice(turn.messagesBefore).every((message) => message.role === "user");
}

/** Whether a call brought something that no tool had to run for, such as what the user answered to a question. */
function wasAnswered({ conversation, operation }: SessionState, turn: OpenTurn): boolean {
  const calls = operation.type === "tool-loop" ? operation.batch.calls : [];
  return (
    calls.some((call) => call.type === "settled" && call.outcome.type === "done") ||
    conversation
      .slice(turn.messagesBefore)
      .some(({ content }) => content.some((block) => block.type === "tool-result" && !block.isError))
  );
}

import type { JournalRecord, ProviderFailure, TurnOutcome } from "@capstan/protocol";
import { answerOpenCalls } from "../tool-loop/finish-call.ts";
import { type Decision, decision, nothing } from "../operation/decision.ts";
import type { OpenTurn, SessionState } from "../operation/state.ts";
import { pendingInteractions } from "../interactions/pending-interactions.ts";
import { deadlineTimer } from "./timers.ts";
import { openTurnOf } from "./open-turn-of.ts";

export interface TurnEnd {
  readonly outcome: TurnOutcome;
  readonly message?: string;
  readonly failure?: ProviderFailure;
}

/**
 * Ends the turn: every open call is answered, every open question withdrawn.
 * A turn that fails before any tool ran leaves the conversation as before it and hands the person's words back as a draft.
 */
export function endTurn(state: SessionState, end: TurnEnd): Decision {
  const turn = openTurnOf(state);
  if (turn === null) return nothing;
  const { turnId } = turn;
  const rolledBack = !turn.toolRan && leavesNoTrace(state, turn, end.outcome);
  const draft = rolledBack ? { draft: turn.content } : {};
  const ended: JournalRecord = { type: "turn-ended", turnId, ...end, rolledBack, ...draft };
  return decision(
    [...withdrawn(state), ...answerOpenCalls(state, end.outcome), ended],
    state.config?.limits.maxTurnDurationMs == null ? [] : [{ type: "stop-timer", timerId: deadlineTimer(turnId) }],
  );
}

/** A turn whose answer is whole: `done`, unless something it wanted to do was refused on the way. */
export function wholeTurn(state: SessionState): TurnEnd {
  const denied = openTurnOf(state)?.deniedCalls ?? 0;
  if (denied === 0) return { outcome: "done" };
  return {
    outcome: "tool-denied",
    message: denied === 1 ? "a tool call was denied" : `${denied} tool calls were denied`,
  };
}

function leavesNoTrace(state: SessionState, turn: OpenTurn, outcome: TurnOutcome): boolean {
  switch (outcome) {
    case "done":
    case "tool-denied":
    case "limit-reached":
    case "outcome-unknown":
    case "parked":
      return false;
    case "error":
    case "provider-failed":
      return true;
    // What a person stopped after reading some of it stays; what showed nothing is as if it had not been asked.
    case "timeout":
    case "interrupted":
    case "terminated":
      return state.conversation.slice(turn.messagesBefore).every((message) => message.role === "user");
  }
}

function withdrawn({ operation }: SessionState): readonly JournalRecord[] {
  return pendingInteractions(operation).map(({ id }) => ({
    type: "interaction-resolved",
    interactionId: id,
    answer: { type: "void" },
    origin: { face: "engine" },
  }));
}

import { isKnownTurn } from "@capstan/policy";
import type { JournalRecord, TurnId } from "@capstan/protocol";
import { pendingInteractions, type QueuedTurn, type SessionState } from "@capstan/session";
import { andThen, type Decision, decision, nothing } from "../model/decision.ts";
import { carryOutPlan } from "./interactions/review-plan.ts";
import { packContext } from "./ask-hooks.ts";
import { startDeadline } from "./timers.ts";

/**
 * Takes a user's words: at once when idle, else in line. A turn id seen before changes nothing.
 * @param follows  the turn whose answer they ask for again; what stands between them makes a turn of its own of them
 */
export function submitInput(state: SessionState, input: QueuedTurn, follows?: TurnId): Decision {
  if (state.config === null || isKnownTurn(state.turnIds, input.turnId)) return nothing;
  const isFree = state.operation.type === "idle" && state.queued.length === 0 && state.approvedPlan === null;
  if (isFree) return beginTurn(state, { ...input, ...askedAgain(state, follows) });
  return decision([{ type: "turn-queued", ...input }, ...notAnAnswer(state)]);
}

/** The session's last turn, if it is meant, or one that is part of it. */
function askedAgain({ turns }: SessionState, follows: TurnId | undefined): Pick<TurnInput, "follows"> {
  const last = turns.at(-1);
  const isMeant = follows !== undefined && (last?.turnId === follows || last?.joined?.includes(follows) === true);
  return last !== undefined && isMeant ? { follows: last.turnId } : {};
}

/** Begins what waits once the session is idle: an approved plan first, then the oldest input. */
export function continueQueue(state: SessionState): Decision {
  if (state.operation.type !== "idle") return nothing;
  const { approvedPlan } = state;
  if (approvedPlan !== null) {
    const { records, input } = carryOutPlan(state, approvedPlan);
    return andThen(state, decision(records), (next) => beginTurn(next, input));
  }
  const [next] = state.queued;
  return next === undefined ? nothing : beginTurn(state, next);
}

/** Begins a turn now; the session must be idle. */
function beginTurn(state: SessionState, input: TurnInput): Decision {
  const started = decision([{ type: "turn-started", ...input }], startDeadline(state, input.turnId));
  return andThen(state, started, packContext);
}

/** Words never answer what waits for a user. */
function notAnAnswer({ operation }: SessionState): readonly JournalRecord[] {
  const [waiting] = pendingInteractions(operation);
  if (waiting === undefined) return [];
  const text = `These words answer nothing: ${waiting.id} waits for an answer of its own. They are next in line.`;
  return [{ type: "notice", level: "warning", code: "input.no-answer", text }];
}

type TurnInput = Omit<Extract<JournalRecord, { type: "turn-started" }>, "type">;

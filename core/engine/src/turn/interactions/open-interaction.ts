import { type Interaction, type InteractionRequest, type JournalRecord, toInteractionId } from "@capstan/protocol";
import { patienceMs } from "@capstan/wording";
import type { Effect } from "../../model/effect.ts";
import type { OpenTurn, SessionState } from "@capstan/session";
import { expiryTimer } from "../timers.ts";

type Opened = Extract<JournalRecord, { type: "interaction-opened" }>;

export interface InteractionOpening {
  readonly request: InteractionRequest;
  /** What an answer is bound to; the interaction's own id where nothing else is. */
  readonly digest?: string;
  /** Its number within the turn, from 1. */
  readonly number: number;
}

/** Something a user is asked, with everything that decides about answers. */
export function openInteraction(
  state: SessionState,
  turn: OpenTurn,
  { request, digest, number }: InteractionOpening,
): Opened {
  const id = toInteractionId(`${number}-${turn.turnId}`);
  const waitsMs = patienceMs(request, state.config?.interactionExpiryMs ?? null);
  const { origin } = turn;
  const interaction: Interaction = {
    id,
    request,
    digest: digest ?? id,
    openedAt: state.now,
    expiresAt: waitsMs === null ? null : state.now + waitsMs,
    origin,
    answerers: origin.user === undefined ? [] : [origin.user],
  };
  return { type: "interaction-opened", interaction, turnId: turn.turnId };
}

/** Timers for what expires among the records of a decision. */
export function expiryTimers(records: readonly JournalRecord[], now: number): readonly Effect[] {
  return records.flatMap((record) => (record.type === "interaction-opened" ? timerFor(record.interaction, now) : []));
}

/** The timer of one interaction, for what is left of its time. */
export function timerFor({ id, expiresAt }: Interaction, now: number): readonly Effect[] {
  if (expiresAt === null) return [];
  return [{ type: "start-timer", timerId: expiryTimer(id), delayMs: Math.max(0, expiresAt - now) }];
}

import type { JournalRecord, Receipt } from "@capstan/protocol";
import { evolve, type SessionState } from "@capstan/session";
import type { Effect } from "./effect.ts";

/** What happened, and what should be done about it. */
export interface Decision {
  readonly records: readonly JournalRecord[];
  readonly effects: readonly Effect[];
  /** Why a submission changes nothing; there are no records and no effects then. */
  readonly refusal?: Refusal;
}

/** What the sender of the submission is answered. */
export type Refusal = Omit<Extract<Receipt, { readonly type: "refused" }>, "type">;

export const nothing: Decision = { records: [], effects: [] };

export function decision(records: readonly JournalRecord[], effects: readonly Effect[] = []): Decision {
  return { records, effects };
}

/** Decisions that do not depend on one another, as one. */
export function together(decisions: readonly Decision[]): Decision {
  return decision(
    decisions.flatMap(({ records }) => records),
    decisions.flatMap(({ effects }) => effects),
  );
}

/** A decision, and what follows from the state it leads to. */
export function andThen(state: SessionState, first: Decision, next: (state: SessionState) => Decision): Decision {
  if (first.refusal !== undefined) return first;
  return together([first, next(first.records.reduce(evolve, state))]);
}

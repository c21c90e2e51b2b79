import { initialState, type SessionState } from "@capstan/session";
import type { JournalRecord } from "@capstan/protocol";

export type Fold = (state: SessionState, record: JournalRecord) => SessionState;

/** One place in a journal: a record with the states on both sides of it. */
export interface Prefix {
  readonly at: number;
  readonly record: JournalRecord;
  readonly before: SessionState;
  readonly after: SessionState;
}

/** Every place of a journal, in order. */
export function prefixes(journal: readonly JournalRecord[], fold: Fold): readonly Prefix[] {
  let before = initialState;
  return journal.map((record, at) => {
    const after = fold(before, record);
    const prefix = { at, record, before, after };
    before = after;
    return prefix;
  });
}

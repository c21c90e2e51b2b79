import type { JournalRecord } from "@capstan/protocol";
import { type SessionState, initialState } from "../model/state.ts";
import { evolve } from "./evolve.ts";
import { growingInPlace } from "./growing-lists.ts";

/** The state after these records, in time that grows with their number alone. */
export function fold(records: Iterable<JournalRecord>, from: SessionState = initialState): SessionState {
  const folding = new Folding(from);
  for (const record of records) folding.take(record);
  return folding.state;
}

/** A fold whose records come one by one. Whoever keeps a state of it before the last record keeps one that may change. */
export class Folding {
  readonly #lists = new WeakMap<readonly unknown[], unknown[]>();
  #state: SessionState;

  constructor(from: SessionState = initialState) {
    this.#state = from;
  }

  get state(): SessionState {
    return this.#state;
  }

  take(record: JournalRecord): void {
    this.#state = growingInPlace(this.#lists, () => evolve(this.#state, record));
  }
}

import type { JournalRecord } from "@capstan/protocol";
import { evolve } from "../evolve/evolve.ts";
import type { Effect } from "./effect.ts";
import type { SessionState } from "./state.ts";

/** What happened, and what should be done about it. */
export interface Decision {
  readonly records: readonly JournalRecord[];
  readonly effects: readonly Effect[];
}

export const nothing: Decision = { records: [], effects: [] };

export function decision(records: readonly JournalRecord[], effects: readonly Effect[] = []): Decision {
  return { records, effects };
}

/** A decision, and what follows from the state it leads to. */
export function andThen(state: SessionState, first: Decision, next: (state: SessionState) => Decision): Decision {
  const rest = next(first.records.reduce(evolve, state));
  return { records: [...first.records, ...rest.records], effects: [...first.effects, ...rest.effects] };
}

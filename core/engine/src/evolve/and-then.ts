import { type Decision, together } from "../model/decision.ts";
import type { SessionState } from "../model/state.ts";
import { evolve } from "./evolve.ts";

/** A decision, and what follows from the state it leads to. */
export function andThen(state: SessionState, first: Decision, next: (state: SessionState) => Decision): Decision {
  if (first.refusal !== undefined) return first;
  return together([first, next(first.records.reduce(evolve, state))]);
}

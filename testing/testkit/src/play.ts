import { evolve, initialState, type SessionState } from "@capstan/session";
import { decide, type Decision, type Effect, type Stimulus } from "@capstan/engine";
import type { JournalRecord, SessionConfig } from "@capstan/protocol";
import { opening, sessionConfig } from "./builders/session-config.ts";

/** One stimulus with what the engine made of it. */
export interface PlayedMove {
  readonly stimulus: Stimulus;
  readonly records: readonly JournalRecord[];
  readonly effects: readonly Effect[];
  /** After the records. */
  readonly state: SessionState;
}

/** A session played from its first record. */
export interface Played {
  readonly journal: readonly JournalRecord[];
  readonly moves: readonly PlayedMove[];
  readonly state: SessionState;
  /** All effects, in order. */
  readonly effects: readonly Effect[];
  /** The decision on the last stimulus. */
  readonly last: Decision;
}

/** Plays stimuli through `decide` and `evolve`, as the runtime does. */
export function play(stimuli: readonly Stimulus[], config: SessionConfig = sessionConfig()): Played {
  return stimuli.reduce(playOn, begin(config));
}

/** A session in which nothing was said yet. */
export function begin(config: SessionConfig = sessionConfig()): Played {
  const journal = opening(config);
  const state = journal.reduce(evolve, initialState);
  return { journal, moves: [], state, effects: [], last: { records: [], effects: [] } };
}

/** One more stimulus. */
export function playOn(played: Played, stimulus: Stimulus): Played {
  const last = decide(played.state, stimulus);
  const state = last.records.reduce(evolve, played.state);
  return {
    journal: [...played.journal, ...last.records],
    moves: [...played.moves, { stimulus, ...last, state }],
    state,
    effects: [...played.effects, ...last.effects],
    last,
  };
}

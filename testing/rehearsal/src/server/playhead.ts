import type { Fault, Scenario, ScenarioTurn } from "../scenario/scenario.ts";

/** What the next accepted request gets. */
export interface Cue {
  readonly turn: ScenarioTurn;
  readonly turnIndex: number;
  /** How often the scenario has begun again. */
  readonly round: number;
  readonly fault: Fault | undefined;
}

/** Where a scenario stands. Owned by one server; its only moving part besides the exchanges. */
export interface Playhead {
  /** The turn that would be played now; `undefined`: the scenario is over. */
  peek(): { readonly turn: ScenarioTurn; readonly turnIndex: number } | undefined;
  /** Plays it: a fault that is still due, else the turn itself, and the next one is up. */
  take(): Cue | undefined;
  /** Turns not served whole yet; 0 for scenarios that loop. */
  unused(): number;
}

export function createPlayhead(scenario: Scenario): Playhead {
  let turnIndex = 0;
  let round = 0;
  let faultsServed = 0;
  const peek: Playhead["peek"] = () => {
    const turn = scenario.turns[turnIndex];
    return turn === undefined ? undefined : { turn, turnIndex };
  };
  return {
    peek,
    take() {
      const at = peek();
      if (at === undefined) return undefined;
      const { fault } = at.turn;
      if (fault !== undefined && faultsServed < fault.times) {
        faultsServed += 1;
        return { ...at, round, fault };
      }
      const cue: Cue = { ...at, round, fault: undefined };
      faultsServed = 0;
      turnIndex += 1;
      if (scenario.loop && turnIndex === scenario.turns.length) {
        turnIndex = 0;
        round += 1;
      }
      return cue;
    },
    unused: () => (scenario.loop ? 0 : scenario.turns.length - turnIndex),
  };
}

/**
 * Whether a unit of a text fits: a character, or a byte written as one.
 * @param startsName  whether the unit is the first of a name
 */
export type UnitTest = (unit: string, startsName: boolean) => boolean;

/** One state of an automaton, to be given to the builder again. */
export type State = number;

/** The answer to one text, with the work that it took: at most twice the number of states, times the units of the text and one. */
export interface Examination {
  readonly matches: boolean;
  readonly steps: number;
}

/** What a state does: consume a unit, fork without consuming one, or end the text. */
type Instruction =
  | { readonly type: "accept" }
  | { readonly type: "one"; readonly test: UnitTest; readonly next: State }
  | { readonly type: "fork"; readonly first: State; readonly second: State };

/** Builds an automaton from its end to its beginning: a state is made when those behind it are there. */
export class AutomatonBuilder {
  readonly #instructions: Instruction[] = [{ type: "accept" }];

  /** The text ends here. */
  readonly accept: State = 0;

  /** No text leads on from here. */
  readonly never: State = this.one(() => false, this.accept);

  one(test: UnitTest, next: State): State {
    return this.#instructions.push({ type: "one", test, next }) - 1;
  }

  fork(first: State, second: State): State {
    if (first === this.never || first === second) return second;
    if (second === this.never) return first;
    return this.#instructions.push({ type: "fork", first, second }) - 1;
  }

  /** Any number of units that fit, then `next`. */
  loop(test: UnitTest, next: State): State {
    const state = this.#instructions.length;
    this.#instructions.push({ type: "fork", first: state + 1, second: next }, { type: "one", test, next: state });
    return state;
  }

  build(start: State): Automaton {
    return new Automaton(this.#instructions, start);
  }
}

/** All ways through a pattern followed at once, so that no unit of a text is ever looked at again. */
class Automaton {
  readonly #instructions: readonly Instruction[];
  readonly #start: State;
  /** When a state was last entered: one entry for each, so that none is followed twice at one place of a text. */
  readonly #enteredAt: number[];
  #clock = 0;

  constructor(instructions: readonly Instruction[], start: State) {
    this.#instructions = instructions;
    this.#start = start;
    this.#enteredAt = instructions.map(() => 0);
  }

  /**
   * Whether it matches the whole text.
   * @param coverFrom  given, it may also match only the names from the beginning to a slash, if they are longer than this
   */
  examine(units: readonly string[], coverFrom: number = Number.POSITIVE_INFINITY): Examination {
    let length = 0;
    let current = this.#enter([this.#start]);
    let { steps } = current;
    let previous = "/";
    for (const unit of units) {
      if (current.accepts && unit === "/" && length > coverFrom) return { matches: true, steps };
      const next: State[] = [];
      for (const { test, next: following } of current.waiting) {
        steps += 1;
        if (test(unit, previous === "/")) next.push(following);
      }
      current = this.#enter(next);
      steps += current.steps;
      if (current.steps === 0) return { matches: false, steps };
      previous = unit;
      length += unit.length;
    }
    return { matches: current.accepts, steps };
  }

  /** Follows the forks; `states` is used up. */
  #enter(states: State[]): Entered {
    this.#clock += 1;
    const waiting: Extract<Instruction, { readonly type: "one" }>[] = [];
    let accepts = false;
    let steps = 0;
    for (let state = states.pop(); state !== undefined; state = states.pop()) {
      const instruction = this.#instructions[state];
      if (instruction === undefined || this.#enteredAt[state] === this.#clock) continue;
      this.#enteredAt[state] = this.#clock;
      steps += 1;
      switch (instruction.type) {
        case "accept":
          accepts = true;
          break;
        case "one":
          waiting.push(instruction);
          break;
        case "fork":
          states.push(instruction.second, instruction.first);
          break;
      }
    }
    return { waiting, accepts, steps };
  }
}

export type { Automaton };

/** The states of one place of the text. */
interface Entered {
  readonly waiting: readonly Extract<Instruction, { readonly type: "one" }>[];
  readonly accepts: boolean;
  readonly steps: number;
}

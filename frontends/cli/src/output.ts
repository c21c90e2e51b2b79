/** Where a frontend writes. `write` never throws: a reader that went away is not our failure. */
export interface Output {
  readonly isTerminal: boolean;
  write(text: string): void;
}

/** The two streams of a run: the result, and what happens meanwhile. */
export interface Streams {
  readonly result: Output;
  readonly progress: Output;
  readonly colors: boolean;
}

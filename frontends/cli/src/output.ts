/** Where a frontend writes. `write` never throws: a reader that went away is not our failure. */
export interface Output {
  readonly isTerminal: boolean;
  /** Cells of a line now; absent where nobody looks on, or the width is not known. */
  readonly columns?: number | undefined;
  /** Rows of the terminal now. */
  readonly rows?: number | undefined;
  /** What is written for a text, where it is not the text itself. */
  readonly asSent?: (text: string) => string;
  write(text: string): void;
}

/** The two streams of a run: the result, and what happens meanwhile. */
export interface Streams {
  readonly result: Output;
  readonly progress: Output;
  readonly colors: boolean;
  /** Both are a terminal that can take lines back. */
  readonly canErase?: boolean;
}

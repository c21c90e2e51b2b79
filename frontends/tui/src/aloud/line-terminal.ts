/** A terminal that edits its own lines: the user's words come whole, and ours are only ever appended. */
export interface LineTerminal {
  write(text: string): void;
  listen(listeners: LineListeners): () => void;
  /** Another program has the terminal meanwhile. */
  lend<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface LineListeners {
  readonly line: (text: string) => void;
  /** Ctrl-C. */
  readonly interrupted: () => void;
  /** No line follows. */
  readonly closed: () => void;
}

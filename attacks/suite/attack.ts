/**
 * How an attempt came out. `stopped`: the defence held; `through`: what the attacker wanted happened. Evidence in one line,
 * inert, for whoever reads the report.
 */
export interface Outcome {
  readonly result: "stopped" | "through";
  readonly evidence: string;
}

/** Rows of the attack catalogue, by its letters. */
export type Group = "T" | "F" | "C" | "P" | "D" | "X" | "R" | "I" | "V" | "H";
export const groups: readonly Group[] = ["T", "F", "C", "P", "D", "X", "R", "I", "V", "H"];

/** One input of one row. Every attempt makes its own place and leaves nothing behind. */
export interface Attack {
  /** Row of the catalogue, as in `C11`. */
  readonly row: string;
  /** What is tried, in one line. */
  readonly input: string;
  /** With every defence in place. */
  attempt(): Promise<Outcome>;
  /** The same input with the defence switched off: it must get through, or the attempt proves nothing. */
  control(): Promise<Outcome>;
}

export function stopped(evidence: string): Outcome {
  return { result: "stopped", evidence };
}

export function through(evidence: string): Outcome {
  return { result: "through", evidence };
}

/** @param happened  whether what the attacker wanted happened */
export function outcome(happened: boolean, evidence: string): Outcome {
  return happened ? through(evidence) : stopped(evidence);
}

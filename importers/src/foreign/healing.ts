/** What was found broken or could not be taken over. The words follow a number. */
export type Defect =
  | "torn end dropped"
  | "unreadable lines skipped"
  | "unknown entries skipped"
  | "notes of the other agent left out"
  | "answers of a sub-agent left out"
  | "entries of abandoned branches left out"
  | "calls without a result: outcome unknown"
  | "results without a call dropped"
  | "repeated call ids renamed"
  | "empty messages dropped"
  | "attachments left out (not inline, or too large)"
  | "overlong texts cut";

/** Counts what an import healed. */
export class Healing {
  readonly #counts = new Map<Defect, number>();

  note(defect: Defect, count = 1): void {
    if (count > 0) this.#counts.set(defect, (this.#counts.get(defect) ?? 0) + count);
  }

  /** In the order in which they were first met. */
  counts(): Readonly<Partial<Record<Defect, number>>> {
    return Object.fromEntries(this.#counts);
  }
}

/** Time. Contract: `now` never throws; a timer fires once, never before its delay, and never after `cancel` returned. */
export interface Clock {
  /** Wall clock, ms since 1970; for display and stamps only. */
  now(): number;
  /** Monotonic ms, for durations. */
  elapsed(): number;
  /** Calls `fire` after `delayMs`. Returns the canceller. */
  after(delayMs: number, fire: () => void): () => void;
}

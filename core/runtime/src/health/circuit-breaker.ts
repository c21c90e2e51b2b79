/** How long those wait who come while one call tries whether the provider is back. */
const trialPatienceMs = 1000;

/**
 * Opens after so many failures in a row, and lets one call through when its time has passed: that call's end closes it, or opens it again.
 * Times are ms of a monotonic clock.
 */
export class CircuitBreaker {
  readonly #threshold: number;
  readonly #openMs: number;
  #failures = 0;
  #openUntilMs: number | undefined;
  #trial = false;

  /** @param openMs  how long it stays open */
  constructor(threshold: number, openMs: number) {
    this.#threshold = threshold;
    this.#openMs = openMs;
  }

  /** Failures in a row. */
  get failures(): number {
    return this.#failures;
  }

  /** How long a call has to wait; 0: it may go, as the trial if there must be one. */
  admit(nowMs: number): number {
    if (this.#openUntilMs === undefined) return 0;
    if (nowMs < this.#openUntilMs) return Math.ceil(this.#openUntilMs - nowMs);
    if (this.#trial) return trialPatienceMs;
    this.#trial = true;
    return 0;
  }

  /** Returns true when this failure opened it. */
  fail(nowMs: number): boolean {
    this.#failures += 1;
    this.#trial = false;
    if (this.#failures < this.#threshold) return false;
    this.#openUntilMs = nowMs + this.#openMs;
    return true;
  }

  /** Returns true when it was open. */
  close(): boolean {
    const wasOpen = this.#openUntilMs !== undefined;
    this.#failures = 0;
    this.#openUntilMs = undefined;
    this.#trial = false;
    return wasOpen;
  }

  /** The trial ended without a word about the provider: the next call is one. */
  giveUpTrial(): void {
    this.#trial = false;
  }
}

import type { Clock } from "@capstan/ports";

const msPerSecond = 1000;

/** How many tokens it holds at most, and how many come in a second. */
export interface BucketSize {
  readonly capacity: number;
  readonly perSecond: number;
}

/** Tokens that come with time and are taken one by one. It starts full; what is not used does not add up beyond what it holds. */
export class TokenBucket {
  readonly #size: BucketSize;
  readonly #clock: Pick<Clock, "elapsed">;
  #tokens: number;
  #filledAtMs: number;

  constructor(size: BucketSize, clock: Pick<Clock, "elapsed">) {
    this.#size = size;
    this.#clock = clock;
    this.#tokens = size.capacity;
    this.#filledAtMs = clock.elapsed();
  }

  /** Without any use it is as a new one. */
  get isFull(): boolean {
    this.#fill();
    return this.#tokens >= this.#size.capacity;
  }

  /** @returns false where there is none to take */
  take(): boolean {
    this.#fill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  #fill(): void {
    const now = this.#clock.elapsed();
    const filled = ((now - this.#filledAtMs) / msPerSecond) * this.#size.perSecond;
    this.#tokens = Math.min(this.#size.capacity, this.#tokens + filled);
    this.#filledAtMs = now;
  }
}

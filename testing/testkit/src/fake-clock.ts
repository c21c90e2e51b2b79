import type { Clock } from "@capstan/ports";

/** Time that passes only when a test says so. */
export class FakeClock implements Clock {
  #elapsedMs: number;
  readonly #timers = new Set<Timer>();

  /** @param startMs  how much has passed already */
  constructor(startMs = 0) {
    this.#elapsedMs = startMs;
  }

  /** Starts on 1 January 2026. */
  now(): number {
    return Date.UTC(2026, 0, 1) + this.#elapsedMs;
  }

  elapsed(): number {
    return this.#elapsedMs;
  }

  after(delayMs: number, fire: () => void): () => void {
    const timer = { dueMs: this.#elapsedMs + Math.max(0, delayMs), fire };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** When the timers that wait are due, in ms from now, soonest first. */
  get waitingMs(): readonly number[] {
    return [...this.#timers].map((timer) => timer.dueMs - this.#elapsedMs).toSorted((a, b) => a - b);
  }

  /** Lets time pass; timers fire in the order in which they are due, those set on the way included. */
  advance(ms: number): void {
    const untilMs = this.#elapsedMs + ms;
    for (let next = this.#due(untilMs); next !== undefined; next = this.#due(untilMs)) {
      this.#timers.delete(next);
      this.#elapsedMs = Math.max(this.#elapsedMs, next.dueMs);
      next.fire();
    }
    this.#elapsedMs = untilMs;
  }

  #due(untilMs: number): Timer | undefined {
    return [...this.#timers].toSorted((a, b) => a.dueMs - b.dueMs).find((timer) => timer.dueMs <= untilMs);
  }
}

interface Timer {
  readonly dueMs: number;
  readonly fire: () => void;
}

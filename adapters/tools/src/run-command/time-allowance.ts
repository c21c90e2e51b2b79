import { maxPauseMs, maxPausesMs } from "./limits.ts";

/**
 * The time that a program may take. It stands still while one of the program's connections waits for its user, each time and in all no longer
 * than is allowed: a program that asks about one host after the other is ended all the same.
 */
export class TimeAllowance {
  #leftMs: number;
  #pausesLeftMs = maxPausesMs;
  /** Questions that are open. */
  #questions = 0;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #over: (() => void) | undefined;

  constructor(limitMs: number) {
    this.#leftMs = limitMs;
  }

  /** @param over  is called when there is none left */
  start(over: () => void): void {
    this.#over = over;
    this.#go();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#over = undefined;
  }

  /** Waits for the answer to a question. */
  async pausedFor<Answer>(answer: Promise<Answer>): Promise<Answer> {
    let isOpen = true;
    const close = (): void => {
      if (isOpen) this.#closeQuestion();
      isOpen = false;
    };
    this.#openQuestion();
    const tooLong = setTimeout(close, maxPauseMs).unref();
    try {
      return await answer;
    } finally {
      clearTimeout(tooLong);
      close();
    }
  }

  #openQuestion(): void {
    this.#questions += 1;
    if (this.#questions > 1 || this.#over === undefined) return;
    this.#leftMs -= this.#elapsed();
    this.#wait(this.#pausesLeftMs, () => {
      this.#pausesLeftMs = 0;
      this.#go();
    });
  }

  #closeQuestion(): void {
    this.#questions -= 1;
    if (this.#questions > 0 || this.#over === undefined || this.#pausesLeftMs <= 0) return;
    this.#pausesLeftMs -= this.#elapsed();
    this.#go();
  }

  #go(): void {
    this.#wait(Math.max(0, this.#leftMs), () => this.#over?.());
  }

  #wait(ms: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#since = performance.now();
    this.#timer = setTimeout(then, ms);
  }

  #elapsed(): number {
    return performance.now() - this.#since;
  }
}

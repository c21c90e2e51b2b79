/** The time that a call may take, without the time in which its user is asked. */
export class CallTimer {
  readonly #controller = new AbortController();
  readonly #text: string;
  #leftMs: number;
  #startedMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number) {
    this.#leftMs = limitMs;
    this.#text = `it had no result within ${limitMs / 1000} s (tool_timeout)`;
    this.resume();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  pause(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs -= performance.now() - this.#startedMs;
  }

  resume(): void {
    if (this.#timer !== undefined) return;
    this.#startedMs = performance.now();
    this.#timer = setTimeout(() => this.#controller.abort(new Error(this.#text)), Math.max(0, this.#leftMs));
  }
}

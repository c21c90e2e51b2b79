/** Something in a process that continues when the schedule says so. */
interface Gate {
  readonly name: string;
  readonly open: () => void;
}

/** Every place at which a process waits for its world. When the process is killed nothing passes any more. */
export class Gates {
  readonly #waiting: Gate[] = [];
  #isDead = false;

  get count(): number {
    return this.#waiting.length;
  }

  /** Resolves when the schedule opens it; never, once the process is dead. */
  pass(name: string): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#isDead) this.#waiting.push({ name, open: resolve });
    });
  }

  /** The same, for what can be broken off: rejects with the signal's reason as soon as it aborts. */
  passOr(name: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isDead) return;
      const gate: Gate = {
        name,
        open: () => {
          signal.removeEventListener("abort", stop);
          resolve();
        },
      };
      const stop = (): void => {
        const at = this.#waiting.indexOf(gate);
        if (at >= 0) this.#waiting.splice(at, 1);
        if (this.#isDead) return;
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the reason of whoever aborts
        reject(signal.reason);
      };
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      this.#waiting.push(gate);
    });
  }

  /** Lets one pass. */
  open(at: number): void {
    const [gate] = this.#waiting.splice(at, 1);
    gate?.open();
  }

  kill(): void {
    this.#isDead = true;
    this.#waiting.length = 0;
  }
}

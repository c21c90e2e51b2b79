/** Timers by name: one that is set again replaces the one before it. */
export class Timers {
  readonly #timers = new Map<string, NodeJS.Timeout>();

  after(name: string, ms: number, act: () => void): void {
    this.stop(name);
    const timer = setTimeout(() => {
      this.#timers.delete(name);
      act();
    }, ms);
    this.#timers.set(name, timer);
  }

  isSet(name: string): boolean {
    return this.#timers.has(name);
  }

  stop(name: string): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }

  stopAll(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}

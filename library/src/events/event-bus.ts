type Listener = (value: unknown) => unknown;

/**
 * Listeners by the name of what they listen to, called one after another in the order in which they were added. What one throws, or a
 * promise that it returns is rejected with, is reported, and the others are called; nobody waits for such promises.
 */
export class EventBus {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #report: (error: unknown) => void;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  on(name: string, listener: Listener): void {
    const known = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, known.add(listener));
  }

  off(name: string, listener: Listener): void {
    this.#listeners.get(name)?.delete(listener);
  }

  /** @param copy  what a listener changes in its copy, no other sees; without it all receive the value itself */
  emit(name: string, value: unknown, copy: (value: unknown) => unknown = (same) => same): void {
    for (const listener of this.#listeners.get(name) ?? []) {
      try {
        const answer = listener(copy(value));
        if (answer instanceof Promise) answer.catch(this.#report);
      } catch (error) {
        this.#report(error);
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}

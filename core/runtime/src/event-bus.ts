import type { SessionEvent } from "@capstan/protocol";

type Listener = (events: readonly SessionEvent[]) => void;

/** Hands what was published together to every subscriber, in order. A listener that throws harms neither the session nor the others. */
export class EventBus {
  readonly #listeners = new Set<Listener>();
  readonly #report: (error: unknown) => void;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /** @returns the unsubscriber */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(events: readonly SessionEvent[]): void {
    for (const listener of this.#listeners) this.#notify(listener, events);
  }

  #notify(listener: Listener, events: readonly SessionEvent[]): void {
    try {
      listener(events);
    } catch (error) {
      this.#report(error);
    }
  }
}

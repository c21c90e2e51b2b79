import type { SessionEvent } from "@capstan/protocol";

type Listener = (event: SessionEvent) => void;

/** Hands events to every subscriber, in order. A listener that throws harms neither the session nor the others. */
export class EventBus {
  readonly #listeners = new Set<Listener>();
  readonly #report: (error: unknown) => void;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(events: readonly SessionEvent[]): void {
    for (const event of events) {
      for (const listener of this.#listeners) this.#notify(listener, event);
    }
  }

  #notify(listener: Listener, event: SessionEvent): void {
    try {
      listener(event);
    } catch (error) {
      this.#report(error);
    }
  }
}

import type { Interaction, SessionEvent, SessionId } from "@capstan/protocol";
import { EventBus } from "./event-bus.ts";
import type { EngineEventHandler, EngineEventMap, EngineEventName, EngineEvents } from "./engine-events.ts";
import { SessionEvents } from "./session-events.ts";

/** Brings what happens in an engine to its program, and to its plugins. */
export class EngineEmitter implements EngineEvents {
  readonly #bus: EventBus;
  #plugins: EventBus | undefined;

  /** @param report  receives what handlers throw */
  constructor(report: (error: unknown) => void) {
    this.#bus = new EventBus(report);
  }

  on<Name extends EngineEventName>(name: Name, handler: EngineEventHandler<Name>): () => void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is emitted under a name has the type that the name stands for
    const listener = (event: unknown): unknown => handler(event as EngineEventMap[Name]);
    this.#bus.on(name, listener);
    return () => this.#bus.off(name, listener);
  }

  /** The engine's plugins are informed as well from here on. */
  joinPlugins(bus: EventBus): void {
    this.#plugins = bus;
  }

  emit<Name extends EngineEventName>(name: Name, event: EngineEventMap[Name]): void {
    for (const bus of [this.#bus, this.#plugins]) bus?.emit(name, event, structuredClone);
  }

  /** @returns receives what happens in a session that was opened */
  readonly observe = (session: {
    readonly id: SessionId;
    readonly pending: readonly Interaction[];
  }): ((event: SessionEvent) => void) => {
    const events = new SessionEvents(session.id, session.pending, (name, event) => this.emit(name, event));
    return ({ record }) => events.receive(record);
  };
}

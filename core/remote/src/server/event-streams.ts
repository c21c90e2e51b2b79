import { AppError, type SessionId } from "@capstan/protocol";
import type { LineChannel } from "../channel/line-channel.ts";
import { maxStreams } from "../limits.ts";
import { type EventSource, EventStream } from "./event-stream.ts";

interface Running {
  readonly stream: EventStream;
  /** What it is attached to; absent for lists. */
  readonly attachedTo: SessionId | undefined;
}

/** The streams of a connection, by the ids of the requests that began them. */
export class EventStreams {
  readonly #channel: LineChannel;
  readonly #running = new Map<string, Running>();

  constructor(channel: LineChannel) {
    this.#channel = channel;
  }

  /**
   * @param name  the request's id
   * @returns starts the stream, to be called when the request is answered
   * @throws AppError `door.schema`, `door.rate`
   */
  open(name: string | null, source: EventSource, attachedTo?: SessionId): () => void {
    try {
      const known = this.#freeName(name);
      const stream = new EventStream(known, this.#channel, source);
      this.#running.set(known, { stream, attachedTo });
      return () => {
        void stream.run().finally(() => this.#forget(known, stream));
      };
    } catch (error) {
      source.events.return?.().catch(() => undefined);
      throw error;
    }
  }

  taken(name: string, characters: number): void {
    this.#running.get(name)?.stream.taken(characters);
  }

  /** Ends a stream; no error when there is none: it may have ended by itself. */
  end(name: string): void {
    const running = this.#running.get(name);
    this.#running.delete(name);
    running?.stream.end();
  }

  /** The client reports nothing any more. */
  widen(): void {
    for (const { stream } of this.#running.values()) stream.widen();
  }

  /** Resolves when every attachment to the session has sent what has this number. */
  async untilSent(sessionId: SessionId, seq: number): Promise<void> {
    const attached = [...this.#running.values()].filter(({ attachedTo }) => attachedTo === sessionId);
    await Promise.all(attached.map(({ stream }) => stream.untilSent(seq)));
  }

  endAttachments(sessionId: SessionId): void {
    for (const [name, { attachedTo }] of this.#running) if (attachedTo === sessionId) this.end(name);
  }

  endAll(): void {
    for (const name of this.#running.keys()) this.end(name);
  }

  #freeName(name: string | null): string {
    if (name === null)
      throw new AppError("door.schema", "a request that begins a stream needs an `id`", {
        hint: "Events carry it as `stream`.",
      });
    if (this.#running.has(name))
      throw new AppError("door.schema", `the stream ${JSON.stringify(name)} is open already`, {
        hint: "Give every request an id of its own.",
      });
    if (this.#running.size >= maxStreams)
      throw new AppError("door.rate", `at most ${maxStreams} streams can be open in one connection`, {
        hint: "`detach` ends one.",
      });
    return name;
  }

  #forget(name: string, stream: EventStream): void {
    if (this.#running.get(name)?.stream === stream) this.#running.delete(name);
  }
}

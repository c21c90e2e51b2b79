import type { LineChannel } from "../channel/line-channel.ts";
import { type EventLine, textOfEvent } from "../wire/event-line.ts";
import { problemOf } from "../wire/problem.ts";

/** Where the events of a stream come from, and how they are written. */
export interface EventSource {
  readonly events: AsyncIterator<EventLine>;
  /** Characters of lines that may be under way; `undefined`: as many as the channel takes. */
  readonly window: number | undefined;
}

/**
 * Pulls events and sends them as lines: the next one is pulled only when the channel has taken the one before and the client has
 * room for more, so that a slow client costs one event.
 */
export class EventStream {
  readonly #name: string;
  readonly #channel: LineChannel;
  readonly #source: EventSource;
  #sent = 0;
  #taken = 0;
  #isEnded = false;
  #isWindowed = true;
  #sentSeq = 0;
  #wake: (() => void) | undefined;
  #waiting: { readonly seq: number; readonly resolve: () => void }[] = [];

  constructor(name: string, channel: LineChannel, source: EventSource) {
    this.#name = name;
    this.#channel = channel;
    this.#source = source;
  }

  /** Resolves when the stream has ended; never throws. */
  async run(): Promise<void> {
    try {
      await this.#pump();
    } catch (error) {
      await this.#sendEnd({ reason: "the stream failed", error: problemOf(error) });
    } finally {
      this.end();
    }
  }

  /** The client has taken so many characters since the stream began. */
  taken(characters: number): void {
    this.#taken = Math.max(this.#taken, Math.min(characters, this.#sent));
    this.#wake?.();
  }

  /** The client reports nothing any more: only the channel bounds what is under way. */
  widen(): void {
    this.#isWindowed = false;
    this.#wake?.();
  }

  /** Resolves when what has this number, or follows it, was sent; or when nothing is sent any more. */
  async untilSent(seq: number): Promise<void> {
    if (this.#isEnded || this.#sentSeq >= seq) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push({ seq, resolve });
    });
  }

  /** Nothing is sent from here on. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#wake?.();
    this.#notify(Number.POSITIVE_INFINITY);
    // Its end is nobody's wait: where it came from may be busy for another moment.
    this.#source.events.return?.().catch(() => undefined);
  }

  async #pump(): Promise<void> {
    while (!this.#isEnded) {
      const next = await this.#source.events.next();
      if (this.#isEnded) return;
      if (next.done === true) return this.#sendEnd({ reason: "nothing follows" });
      const line = textOfEvent(next.value);
      await this.#room();
      if (this.#isEnded) return;
      this.#sent += line.length;
      await this.#channel.send(line);
      // A snapshot is ahead of the records that follow it.
      if (next.value.event === "record" || next.value.event === "live") this.#notify(next.value.seq);
      if (next.value.event === "closed") return;
    }
  }

  /** Whatever is under way stays below the window, or is one event. */
  async #room(): Promise<void> {
    const { window } = this.#source;
    if (window === undefined) return;
    while (this.#isWindowed && this.#sent - this.#taken >= window && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #notify(seq: number): void {
    this.#sentSeq = seq;
    for (const waiting of this.#waiting) if (seq >= waiting.seq) waiting.resolve();
    this.#waiting = this.#waiting.filter((waiting) => seq < waiting.seq);
  }

  async #sendEnd(end: Pick<Extract<EventLine, { event: "closed" }>, "reason" | "error">): Promise<void> {
    if (this.#isEnded) return;
    const line: EventLine = { event: "closed", stream: this.#name, ...end };
    // A channel that has ended notifies nobody.
    await this.#channel.send(JSON.stringify(line)).catch(() => undefined);
  }
}

import {
  type Frame,
  type Presence,
  type SessionEvent,
  type SessionOwner,
  type SessionSnapshot,
} from "@capstan/protocol";
import { charactersOf } from "./event-size.ts";
import { eventsPerPage, maxHandedOnCharacters, maxHandedOnEvents, maxPageCharacters } from "../limits.ts";

/** What a feed draws from. */
export interface FeedSource {
  /** Number of the last published event. */
  seq(): number;
  snapshot(): SessionSnapshot;
  /** Kept events after `after`, oldest first, about `limit` of them. */
  read(after: number, limit: number): Promise<readonly SessionEvent[]>;
}

/**
 * What one attached client receives, pulled by it. Events are handed on as they are published while the client keeps up; a client that
 * does not take them is behind, nothing is kept for it, and it is served page by page from the journal until it is level again.
 */
export class EventFeed implements AsyncIterator<Frame>, AsyncIterable<Frame> {
  readonly #source: FeedSource;
  readonly #onEnd: () => void;
  /** Number of the last event that was handed out. */
  #last: number;
  #state: "new" | "behind" | "level" | "closed" = "new";
  #wasLive = false;
  #page: readonly SessionEvent[] = [];
  #handedOn: SessionEvent[] = [];
  #characters = 0;
  #presence: readonly Presence[] | undefined;
  #owner: SessionOwner | undefined;
  #closed: string | undefined;
  #wake: (() => void) | undefined;

  constructor(source: FeedSource, after: number, onEnd: () => void) {
    this.#source = source;
    this.#last = after;
    this.#onEnd = onEnd;
  }

  /** Events that were just published; the first follows directly on what was published before. */
  publish(events: readonly SessionEvent[]): void {
    if (this.#state !== "level") return this.#rouse();
    for (const event of events) {
      this.#handedOn.push(event);
      // Most clients have taken everything by now: only those that have not are measured.
      if (this.#handedOn.length > 1) this.#characters += charactersOf(event);
    }
    if (this.#handedOn.length > maxHandedOnEvents || this.#characters > maxHandedOnCharacters) this.#fallBehind();
    this.#rouse();
  }

  /** Only the latest is kept. */
  sendPresence(present: readonly Presence[]): void {
    this.#presence = present;
    this.#rouse();
  }

  showOwner(owner: SessionOwner): void {
    this.#owner = owner;
    this.#rouse();
  }

  /** What was published until now is still handed out. */
  end(reason: string): void {
    this.#closed ??= reason;
    this.#rouse();
  }

  async next(): Promise<IteratorResult<Frame, undefined>> {
    for (;;) {
      const frame = this.#state === "closed" ? undefined : await this.#frame();
      if (frame === "wait") await this.#woken();
      else if (frame === undefined) return { done: true, value: undefined };
      else return { done: false, value: frame };
    }
  }

  async return(): Promise<IteratorResult<Frame, undefined>> {
    this.#finish();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #frame(): Promise<Frame | "wait" | undefined> {
    if (this.#state === "new") {
      this.#state = "behind";
      return { type: "snapshot", snapshot: this.#source.snapshot() };
    }
    const event = await this.#nextEvent();
    if (event !== undefined) return { type: "record", event };
    if (this.#isClosed()) return undefined;
    if (!this.#wasLive) {
      this.#wasLive = true;
      return { type: "live", seq: this.#last };
    }
    return this.#aside();
  }

  async #nextEvent(): Promise<SessionEvent | undefined> {
    const handedOn = this.#nextHandedOn();
    if (handedOn !== undefined) return this.#took(handedOn);
    if (this.#state === "level") return undefined;
    const [next, ...rest] = this.#page;
    if (next !== undefined) {
      this.#page = rest;
      return this.#took(next);
    }
    return await this.#readPage();
  }

  /** A page may hold what is published only afterwards: nothing is handed out twice. */
  #nextHandedOn(): SessionEvent | undefined {
    for (;;) {
      const event = this.#handedOn.shift();
      if (this.#handedOn.length === 0) this.#characters = 0;
      if (event === undefined || event.seq > this.#last) return event;
    }
  }

  /** Reads what follows; a client that is level from here on gets everything that is published from here on. */
  async #readPage(): Promise<SessionEvent | undefined> {
    while (this.#state === "behind") {
      const upTo = this.#source.seq();
      if (this.#last >= upTo) {
        this.#state = "level";
        return undefined;
      }
      const [next, ...rest] = withinBounds(await this.#source.read(this.#last, eventsPerPage));
      if (next !== undefined) {
        this.#page = rest;
        return this.#isClosed() ? undefined : this.#took(next);
      }
      // What was published up to there has been pruned since.
      this.#last = Math.max(this.#last, upTo);
    }
    return undefined;
  }

  /** Characters that are kept for this client, about; whatever it is behind, they stay below the bounds. */
  get heldCharacters(): number {
    return [...this.#page, ...this.#handedOn].reduce((sum, event) => sum + charactersOf(event), 0);
  }

  #took(event: SessionEvent): SessionEvent {
    this.#last = Math.max(this.#last, event.seq);
    return event;
  }

  #fallBehind(): void {
    this.#state = "behind";
    this.#handedOn = [];
    this.#characters = 0;
    this.#wasLive = false;
  }

  #aside(): Frame | "wait" {
    if (this.#owner !== undefined) {
      const owner = this.#owner;
      this.#owner = undefined;
      return { type: "owner", owner };
    }
    if (this.#presence !== undefined) {
      const present = this.#presence;
      this.#presence = undefined;
      return { type: "presence", present };
    }
    if (this.#state === "level" && this.#last < this.#source.seq() && this.#handedOn.length === 0)
      this.#state = "behind";
    if (this.#state === "behind") return "wait";
    if (this.#closed === undefined) return "wait";
    this.#finish();
    return { type: "closed", reason: this.#closed };
  }

  #isClosed(): boolean {
    return this.#state === "closed";
  }

  #finish(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#handedOn = [];
    this.#page = [];
    this.#onEnd();
    this.#rouse();
  }

  #rouse(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  /** Resolves with the next thing that is reported; at once where something is there. */
  #woken(): Promise<void> {
    if (this.#hasSomething()) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #hasSomething(): boolean {
    return (
      this.#state !== "level" ||
      this.#handedOn.length > 0 ||
      this.#owner !== undefined ||
      this.#presence !== undefined ||
      this.#closed !== undefined
    );
  }
}

/** As much of a page as is kept for a client; what is left out is read again. The first event passes, however large it is. */
function withinBounds(page: readonly SessionEvent[]): readonly SessionEvent[] {
  let characters = 0;
  const end = page.findIndex((event, at) => {
    characters += charactersOf(event);
    return at > 0 && characters > maxPageCharacters;
  });
  return end < 0 ? page : page.slice(0, end);
}

import { AppError, type Frame, messageOf, type SessionClient } from "@capstan/protocol";

/** A client of a session, and who writes to it: this process, another one, or nobody who can be reached. */
export interface Link {
  readonly client: SessionClient;
  readonly writer: "here" | "process" | "nobody";
}

/** Whoever knows the links. */
export interface LinkSource {
  current(): Promise<Link>;
  /** Finds the next one in place of one that broke. */
  lose(link: Link): Promise<void>;
  /** Every record that is handed on. */
  note(frame: Extract<Frame, { readonly type: "record" }>): void;
  isClosed(): boolean;
  ended(frames: FollowedFrames): void;
}

/** What a client receives through one owner after the other, from the number it has reached each time. */
export class FollowedFrames implements AsyncIterableIterator<Frame> {
  readonly #source: LinkSource;
  #last: number;
  #isFirst = true;
  #isOver = false;
  #link: Link | undefined;
  #frames: AsyncIterator<Frame> | undefined;

  readonly #over: Promise<undefined>;
  #signalEnd: () => void = () => undefined;

  constructor(after: number, source: LinkSource) {
    this.#over = new Promise((resolve) => {
      this.#signalEnd = () => resolve(undefined);
    });
    this.#last = after;
    this.#source = source;
  }

  async next(): Promise<IteratorResult<Frame, undefined>> {
    while (!this.#isOver) {
      const link = this.#link;
      if (link === undefined) {
        const owner = await this.#begin();
        if (owner !== undefined) return { done: false, value: owner };
        continue;
      }
      const frame = await this.#pull();
      if (this.#isOver) break;
      if (frame === undefined || frame.type === "closed") {
        const end = await this.#end(link, frame);
        if (end !== undefined) return { done: false, value: end };
      } else if (this.#isNews(frame)) return { done: false, value: frame };
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Frame, undefined>> {
    this.#finish();
    await this.#frames?.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Continues with whoever writes now. @returns who that is, when it has changed */
  async #begin(): Promise<Frame | undefined> {
    const link = await Promise.race([this.#source.current(), this.#over]);
    if (link === undefined) return undefined;
    this.#link = link;
    this.#frames = link.client.attach(this.#last)[Symbol.asyncIterator]();
    if (this.#isOver) await this.#frames.return?.();
    if (this.#isFirst) return undefined;
    try {
      return { type: "owner", owner: await link.client.owner() };
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      return undefined;
    }
  }

  /** A link that breaks ends like one that was closed. */
  async #pull(): Promise<Frame | undefined> {
    try {
      const step = await this.#frames?.next();
      return step === undefined || step.done === true ? undefined : step.value;
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      return { type: "closed", reason: messageOf(error) };
    }
  }

  async #end(link: Link, frame: Extract<Frame, { readonly type: "closed" }> | undefined): Promise<Frame | undefined> {
    if (link.writer === "here" || this.#source.isClosed()) {
      this.#finish();
      return frame;
    }
    this.#link = undefined;
    this.#isFirst = false;
    // Whoever gives up waits for no owner.
    await Promise.race([this.#source.lose(link), this.#over]);
    return undefined;
  }

  #finish(): void {
    this.#isOver = true;
    this.#signalEnd();
    this.#source.ended(this);
  }

  /** The first snapshot is what the client begins with; a later one would only repeat what it knows. */
  #isNews(frame: Frame): boolean {
    if (frame.type === "snapshot") return this.#isFirst;
    if (frame.type === "record") {
      this.#last = frame.event.seq;
      this.#source.note(frame);
    }
    return true;
  }
}

export function isConnectionLoss(error: unknown): boolean {
  return error instanceof AppError && (error.code === "remote.closed" || error.code === "remote.unreachable");
}

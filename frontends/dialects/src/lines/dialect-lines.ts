import { jsonLine } from "@capstan/view";
import { type LineChannel, type ReceivedLine, StreamChannel, maxRequestLineBytes } from "@capstan/remote";
import type { Readable, Writable } from "node:stream";

/** The streams of the process that speaks a dialect. */
export interface DialectStreams {
  readonly input: Readable;
  /** Carries nothing but lines of the dialect. */
  readonly output: Writable;
}

/** Lines of a dialect both ways. Whoever has stopped reading gets nothing more, and is no failure. */
export class DialectLines {
  readonly #channel: LineChannel;
  readonly #input: Readable;
  readonly #listeners = new Set<() => void>();
  #isBroken = false;

  constructor({ input, output }: DialectStreams) {
    this.#input = input;
    input.on("error", () => undefined);
    output.on("error", () => this.#break());
    output.on("close", () => this.#break());
    this.#channel = new StreamChannel({ input, output, maxLineBytes: maxRequestLineBytes, end: () => undefined });
  }

  /** Nobody reads any more. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  get received(): AsyncIterable<ReceivedLine> {
    return this.#channel.lines;
  }

  /** Resolves when more can be taken. */
  async write(value: object): Promise<void> {
    if (this.#isBroken) return;
    await this.#channel.send(jsonLine(value)).catch(() => this.#break());
  }

  /** Nothing more is read: what waits for a line finds the end. */
  stopReading(): void {
    this.#input.destroy();
  }

  /** Notified when nobody reads any more, at once where that is so already. */
  onBroken(listener: () => void): void {
    this.#listeners.add(listener);
    if (this.#isBroken) listener();
  }

  #break(): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    // Where nobody reads any more, nobody asks for more either.
    this.stopReading();
    for (const listener of this.#listeners) listener();
  }
}

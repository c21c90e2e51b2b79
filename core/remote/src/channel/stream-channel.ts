import { AppError } from "@capstan/protocol";
import { maxOutstandingCharacters } from "../limits.ts";
import type { LineChannel, ReceivedLine } from "./line-channel.ts";
import { LineSplitter } from "./line-splitter.ts";

/** Where lines go; Node's writable streams are such. `done` is called when the text was handed over, or never will be. */
export interface TextOutput {
  write(text: string, done: (error?: Error | null) => void): unknown;
}

export interface StreamChannelOptions {
  readonly input: AsyncIterable<Uint8Array>;
  readonly output: TextOutput;
  /** Of a received line. */
  readonly maxLineBytes: number;
  /** Ends the connection after what was written; after some time, whatever was written. */
  end(): void;
}

/** Lines over a stream of bytes each way. */
export class StreamChannel implements LineChannel {
  readonly #options: StreamChannelOptions;
  #waiting: (() => void)[] = [];
  #outstanding = 0;
  #failure: AppError | undefined;
  #flushed: (() => void) | undefined;

  constructor(options: StreamChannelOptions) {
    this.#options = options;
  }

  get lines(): AsyncIterable<ReceivedLine> {
    return readLines(this.#options);
  }

  async send(line: string): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const text = `${line}\n`;
    this.#outstanding += text.length;
    this.#options.output.write(text, (error) => {
      this.#outstanding -= text.length;
      if (error !== undefined && error !== null) this.#fail(closedChannel(error));
      this.#wake();
    });
    if (this.#outstanding > maxOutstandingCharacters) await this.#drained();
  }

  async close(): Promise<void> {
    this.#failure ??= closedChannel();
    this.#options.end();
    if (this.#outstanding === 0) return;
    await new Promise<void>((resolve) => {
      this.#flushed = resolve;
    });
  }

  async #drained(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
    });
    if (this.#failure !== undefined) throw this.#failure;
  }

  #fail(failure: AppError): void {
    this.#failure ??= failure;
  }

  #wake(): void {
    if (this.#outstanding === 0) this.#flushed?.();
    if (this.#outstanding > maxOutstandingCharacters && this.#failure === undefined) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

async function* readLines({ input, maxLineBytes }: StreamChannelOptions): AsyncGenerator<ReceivedLine> {
  const splitter = new LineSplitter(maxLineBytes);
  try {
    for await (const chunk of input) yield* splitter.push(chunk);
  } catch {
    // The connection broke: a beginning of a line is none.
    return;
  }
  yield* splitter.end();
}

/** What a sender is answered once the connection has ended. */
export function closedChannel(cause?: unknown): AppError {
  return new AppError("remote.closed", "the connection to the other process has ended", { cause });
}

import { type LineChannel, maxRequestLineBytes, maxServerLineBytes, StreamChannel } from "../src/index.ts";

/** Bytes one way, in memory: what was written is handed over when it is read, piece by piece. */
class Pipe implements AsyncIterable<Uint8Array> {
  readonly #encoder = new TextEncoder();
  #written: Written[] = [];
  #wake: (() => void) | undefined;
  #isEnded = false;
  /** No piece is handed over while it is held. */
  isHeld = false;
  /** Bytes that nobody has read. */
  unread = 0;

  write(text: string, done: Done = () => undefined): void {
    this.writeBytes(this.#encoder.encode(text), done);
  }

  writeBytes(bytes: Uint8Array, done: Done = () => undefined): void {
    if (this.#isEnded) {
      done(new Error("write after end"));
      return;
    }
    this.unread += bytes.length;
    this.#written.push({ bytes, done });
    this.#wake?.();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  release(): void {
    this.isHeld = false;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    while (true) {
      const next = this.isHeld ? undefined : this.#written.shift();
      if (next !== undefined) {
        this.unread -= next.bytes.length;
        next.done();
        yield next.bytes;
      } else if (this.#isEnded) {
        for (const { done } of this.#written) done(new Error("the reader is gone"));
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}

type Done = (error?: Error) => void;

interface Written {
  readonly bytes: Uint8Array;
  readonly done: Done;
}

/** A connection in memory. */
export interface Connected {
  readonly client: LineChannel;
  readonly server: LineChannel;
  readonly toServer: Pipe;
  readonly toClient: Pipe;
}

export function connected(requestLineBytes: number = maxRequestLineBytes): Connected {
  const toServer = new Pipe();
  const toClient = new Pipe();
  const end = (): void => {
    toServer.end();
    toClient.end();
  };
  return {
    toServer,
    toClient,
    client: new StreamChannel({ input: toClient, output: toServer, maxLineBytes: maxServerLineBytes, end }),
    server: new StreamChannel({ input: toServer, output: toClient, maxLineBytes: requestLineBytes, end }),
  };
}

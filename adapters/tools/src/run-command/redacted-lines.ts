import { maxCarriedLineBytes } from "./limits.ts";

/**
 * Takes secrets out of a stream of bytes, whole lines at a time, so that one cut between two pieces is found too. Bytes that
 * are no text pass through unchanged.
 */
export class RedactedLines {
  readonly #redact: (text: string) => string;
  #carried = Buffer.alloc(0);

  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /** @returns what can be handed on: everything up to the last line end; a line beyond the limit goes out as it is cut */
  push(bytes: Buffer): Buffer {
    const all = this.#carried.length === 0 ? bytes : Buffer.concat([this.#carried, bytes]);
    const lineEnd = all.lastIndexOf(0x0a) + 1;
    const ready = lineEnd === 0 && all.length > maxCarriedLineBytes ? all.length : lineEnd;
    this.#carried = Buffer.from(all.subarray(ready));
    return this.#clean(all.subarray(0, ready));
  }

  end(): Buffer {
    const rest = this.#carried;
    this.#carried = Buffer.alloc(0);
    return this.#clean(rest);
  }

  /** One byte, one character: what is not touched comes out as it went in. */
  #clean(bytes: Buffer): Buffer {
    if (bytes.length === 0) return bytes;
    const text = bytes.toString("latin1");
    const redacted = this.#redact(text);
    return redacted === text ? bytes : Buffer.from(redacted, "latin1");
  }
}

import type { ReceivedLine } from "./line-channel.ts";

const lineFeed = 0x0a;

/**
 * Bytes, cut anywhere, become lines. Total: whatever comes is a line or a refusal, and at most `maxLineBytes` are kept of what is not
 * complete.
 */
export class LineSplitter {
  readonly #maxLineBytes: number;
  readonly #decoder: TextDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  /** The line that is being read is too long already. */
  #isSkipping = false;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** @returns the lines that these bytes complete */
  push(chunk: Uint8Array): readonly ReceivedLine[] {
    const lines: ReceivedLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#keep(chunk.subarray(start, end));
      lines.push(...this.#complete());
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  /** What is left when nothing more comes: a last line without its end. */
  end(): readonly ReceivedLine[] {
    return this.#complete();
  }

  #keep(piece: Uint8Array): void {
    if (piece.length === 0 || this.#isSkipping) return;
    if (this.#bytes + piece.length > this.#maxLineBytes) {
      this.#isSkipping = true;
      this.#pieces = [];
      return;
    }
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }

  #complete(): readonly ReceivedLine[] {
    const pieces = this.#pieces;
    const wasSkipping = this.#isSkipping;
    const bytes = this.#bytes;
    this.#pieces = [];
    this.#bytes = 0;
    this.#isSkipping = false;
    if (wasSkipping) return [{ type: "refused", reason: `the line has more than ${this.#maxLineBytes} bytes` }];
    try {
      const text = this.#decoder.decode(joined(pieces, bytes));
      return text.trim() === "" ? [] : [{ type: "line", text }];
    } catch {
      return [{ type: "refused", reason: "the line is not valid UTF-8" }];
    }
  }
}

function joined(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1) return first;
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

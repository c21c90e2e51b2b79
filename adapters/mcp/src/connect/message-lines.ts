import { maxMessageBytes } from "../limits.ts";

/** Cuts a stream of bytes into lines, each within the limit. A character may come in two pieces. */
export class MessageLines {
  #pieces: Buffer[] = [];
  #bytes = 0;

  /** @throws Error for a line beyond the limit */
  *take(chunk: Buffer): Generator<string> {
    let rest = chunk;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      this.#keep(rest.subarray(0, end));
      const line = Buffer.concat(this.#pieces).toString("utf8");
      this.#pieces = [];
      this.#bytes = 0;
      rest = rest.subarray(end + 1);
      yield line.endsWith("\r") ? line.slice(0, -1) : line;
    }
    this.#keep(rest);
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    if (this.#bytes > maxMessageBytes) throw new Error(`it sent a message of more than ${maxMessageBytes} bytes`);
    this.#pieces.push(piece);
  }
}

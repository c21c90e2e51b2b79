import { Transform, type TransformCallback } from "node:stream";
import { maxBytesUnasked } from "../limits.ts";

/** What a server writes, as long as it does not flood. */
export class BoundedOutput extends Transform {
  #bytes = 0;

  /** It was spoken to: what it writes from here on is counted from zero. */
  asked(): void {
    this.#bytes = 0;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    if (this.#bytes > maxBytesUnasked) done(new Error("it floods"));
    else done(null, chunk);
  }
}

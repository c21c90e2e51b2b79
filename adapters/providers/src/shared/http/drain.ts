import type { Readable } from "node:stream";
import { limits } from "../../limits.ts";

/** Reads what is left of a body nobody needs, so that its connection can be used again; `close` is called if that takes too much. */
export function drain(body: Readable, close: () => void): void {
  let left: number = limits.drainBytes;
  const stop = setTimeout(close, limits.drainMs);
  stop.unref();
  body.on("data", (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) close();
  });
  body.on("close", () => clearTimeout(stop));
  body.resume();
}

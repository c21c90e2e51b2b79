import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";

/** The body without its content encoding. We ask for none; some proxies compress all the same. */
export function decodeBody(response: IncomingMessage): Readable {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity") return response;
  // Two milliseconds of every start, for something that hardly ever happens, if it were imported above.
  const { constants, createBrotliDecompress, createGunzip, createInflate } = process.getBuiltinModule("node:zlib");
  // A stream must show each event as soon as it arrives, so every piece of input is flushed.
  const flush = { flush: constants.Z_SYNC_FLUSH };
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return response.pipe(createGunzip(flush));
    case "deflate":
      return response.pipe(createInflate(flush));
    case "br":
      return response.pipe(createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }));
    default:
      return response;
  }
}

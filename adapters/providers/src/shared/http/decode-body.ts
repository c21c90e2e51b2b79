import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Readable } from "node:stream";

/** Encodings that `decodeBody` takes off. */
const knownEncodings: ReadonlySet<string> = new Set(["identity", "gzip", "x-gzip", "deflate", "br"]);

/** The encoding of a body that cannot be read; `undefined`: it can be. */
export function unknownEncoding({ headers }: IncomingMessage): string | undefined {
  const encoding = encodingOf(headers);
  return knownEncodings.has(encoding) ? undefined : encoding;
}

/** The body without its content encoding. We ask for none; some proxies compress all the same. */
export function decodeBody(response: IncomingMessage): Readable {
  const encoding = encodingOf(response.headers);
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

function encodingOf(headers: IncomingHttpHeaders): string {
  const encoding = (headers["content-encoding"] ?? "").trim().toLowerCase();
  return encoding === "" ? "identity" : encoding;
}

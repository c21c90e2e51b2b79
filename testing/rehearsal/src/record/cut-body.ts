import { isUtf8 } from "node:buffer";
import { StringDecoder } from "node:string_decoder";
import { brotliDecompressSync, constants, unzipSync } from "node:zlib";
import { limits } from "../limits.ts";
import type { RecordedAnswer } from "../scenario/recorded-exchange.ts";
import { cleanText } from "./clean-json.ts";
import { cleanStream } from "./clean-stream.ts";
import type { Redactor } from "./find-secrets.ts";

/** A body as it is recorded. */
export type CutBody = Pick<RecordedAnswer, "pieces" | "encoding">;

/**
 * An answer's body without secrets, in the pieces it came in. Where one had to be taken out of a stream, the pieces are its
 * events; of any other body, then, there is one.
 * @param compression  the content-encoding of an endpoint that compresses although it was asked not to
 * @returns `undefined` where nothing of it can be read
 */
export function cutBody(
  chunks: readonly Buffer[],
  compression: string | undefined,
  redact: Redactor,
): CutBody | undefined {
  const inflated = compression === undefined ? undefined : decompress(Buffer.concat(chunks), compression);
  if (compression !== undefined && inflated === undefined) return undefined;
  const plain = inflated === undefined ? chunks : [inflated];
  const whole = Buffer.concat(plain);
  // A broken-off answer may end inside a character, which then is left out.
  if (!isUtf8(whole.subarray(0, wholeCharacters(whole)))) {
    return { pieces: plain.map((chunk) => chunk.toString("base64")), encoding: "base64" };
  }
  const decoder = new StringDecoder("utf8");
  const pieces = plain.map((chunk) => decoder.write(chunk)).filter((piece) => piece !== "");
  const text = pieces.join("");
  if (/^\s*(?:event|data|id|retry)?:/.test(text)) return { pieces: cleanStream(text, redact) ?? pieces };
  const cleaned = cleanText(text, redact);
  return { pieces: cleaned === text ? pieces : [cleaned] };
}

/** Bytes up to the last character that is whole. */
function wholeCharacters(bytes: Buffer): number {
  const start = Math.max(0, bytes.length - 3);
  for (let at = bytes.length - 1; at >= start; at -= 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0xc0) return at + (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > bytes.length ? at : bytes.length;
    if (byte < 0x80) break;
  }
  return bytes.length;
}

/** Whatever of it can be read: it may be broken off. `undefined`: nothing can. */
function decompress(bytes: Buffer, compression: string): Buffer | undefined {
  if (bytes.length === 0) return bytes;
  const maxOutputLength = limits.recordedAnswerBytes;
  try {
    return compression === "br"
      ? brotliDecompressSync(bytes, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH })
      : unzipSync(bytes, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return undefined;
  }
}

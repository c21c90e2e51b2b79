import type { IncomingMessage } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { WebError } from "../web-error.ts";
import { networkError } from "./request-page.ts";

/** What was read of a body, decoded. */
export interface ReadBody {
  readonly bytes: Buffer;
  /** There was more. */
  readonly isCut: boolean;
}

/**
 * Reads a body up to a limit, of what comes and of what that unfolds to.
 * @param onMore  what happens at the limit
 * @throws WebError; the signal's reason
 */
export async function readBody(
  answer: IncomingMessage,
  limitBytes: number,
  onMore: "refuse" | "cut",
  signal: AbortSignal,
): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let received = 0;
  let isCut = false;
  answer.on("data", (chunk: Buffer) => {
    received += chunk.length;
    if (received > limitBytes) answer.destroy();
  });
  try {
    for await (const chunk of decoded(answer)) {
      if (!Buffer.isBuffer(chunk)) continue;
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > limitBytes) {
        isCut = true;
        break;
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    if (received <= limitBytes) throw error instanceof WebError ? error : networkError(error);
    isCut = true;
  } finally {
    answer.destroy();
  }
  if (isCut && onMore === "refuse")
    throw new WebError("response_too_large", `the page is larger than ${limitBytes} bytes`);
  return { bytes: Buffer.concat(chunks).subarray(0, limitBytes), isCut };
}

function decoded(answer: IncomingMessage): Readable {
  const encodings = (answer.headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && each !== "identity");
  const [encoding, ...more] = encodings;
  if (encoding === undefined) return answer;
  // Folded twice, a body may unfold to anything.
  if (more.length > 0) throw new WebError("network", "the page is packed more than once", { retryable: false });
  const decoder = decoderOf(encoding);
  pipeline(answer, decoder, () => undefined);
  return decoder;
}

function decoderOf(encoding: string): Transform {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      throw new WebError("network", "the page is packed in a way that was not asked for", { retryable: false });
  }
}

import { createHash } from "node:crypto";
import type { OpenFile } from "../paths/open-file.ts";
import { hashPieceBytes } from "./limits.ts";

/** The smallest piece that is asked for: room for a file that grew, and for finding its end. */
const minPieceBytes = 4096;

/** The beginning of a file, and the hash of all of it, from one pass over the same bytes. */
export interface FileHead {
  readonly head: Buffer;
  /** Whether `head` is the whole file. */
  readonly complete: boolean;
  /** SHA-256 (hex) of the whole file; `undefined` beyond the limit. */
  readonly hash: string | undefined;
}

/**
 * @param limits  bytes to keep, and bytes up to which the hash is taken; both at most what is read
 * @throws the signal's reason, between two pieces
 */
export async function readHead(
  file: OpenFile,
  limits: { readonly headBytes: number; readonly hashBytes: number },
  signal: AbortSignal,
): Promise<FileHead> {
  const hash = createHash("sha256");
  const pieces: Buffer[] = [];
  const end = Math.max(limits.headBytes, limits.hashBytes);
  // What the file claims to have fits into one piece, where it is not too much; what it has is what comes.
  const claimed = Number(file.stats().size);
  let length = 0;
  while (length <= end) {
    signal.throwIfAborted();
    const wanted = Math.max(claimed - length, minPieceBytes);
    const piece = Buffer.allocUnsafe(Math.min(wanted, hashPieceBytes, end + 1 - length));
    const bytesRead = await file.read(piece, length);
    if (bytesRead === 0) break;
    const read = piece.subarray(0, bytesRead);
    hash.update(read);
    if (length < limits.headBytes) pieces.push(read);
    length += bytesRead;
  }
  const head = Buffer.concat(pieces).subarray(0, limits.headBytes);
  return {
    head,
    complete: length <= limits.headBytes,
    hash: length <= limits.hashBytes ? hash.digest("hex") : undefined,
  };
}

import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { hashPieceBytes } from "./limits.ts";

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
  file: FileHandle,
  limits: { readonly headBytes: number; readonly hashBytes: number },
  signal: AbortSignal,
): Promise<FileHead> {
  const hash = createHash("sha256");
  const pieces: Buffer[] = [];
  const end = Math.max(limits.headBytes, limits.hashBytes);
  let length = 0;
  while (length <= end) {
    signal.throwIfAborted();
    const piece = Buffer.allocUnsafe(Math.min(hashPieceBytes, end + 1 - length));
    const { bytesRead } = await file.read(piece, 0, piece.length, length);
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

import { createHash } from "node:crypto";
import type { OpenFile } from "../../paths/open-file.ts";
import { hashPieceBytes } from "../limits.ts";

/** SHA-256 (hex) of an open file from its start to its end, in flat memory. */
export async function hashFile(file: OpenFile): Promise<string> {
  const hash = createHash("sha256");
  const piece = Buffer.allocUnsafe(hashPieceBytes);
  for (let position = 0; ;) {
    const bytesRead = await file.read(piece, position);
    if (bytesRead === 0) return hash.digest("hex");
    hash.update(piece.subarray(0, bytesRead));
    position += bytesRead;
  }
}

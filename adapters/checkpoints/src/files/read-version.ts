import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  read,
  readlinkSync,
  readSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import type { FileVersion } from "@capstan/protocol";
import { hashPieceBytes, maxFileBytes, maxHashedBytes, promptReadBytes } from "../limits.ts";
import { type GitObject, gitObject, objectHeader } from "../store/git-object.ts";
import { errorCode } from "./error-code.ts";
import type { PinnedFolder } from "./pinned-folder.ts";

/** What stands at a name. */
export type FoundVersion =
  | { readonly type: "kept"; readonly version: FileVersion; readonly object: GitObject; readonly stats: BigIntStats }
  /** Too large to be kept, but its content was hashed. */
  | { readonly type: "large"; readonly version: FileVersion; readonly stats: BigIntStats }
  | { readonly type: "missing" }
  | { readonly type: "folder" }
  /** Neither file nor link, unreadable, or too large even to be hashed; `reason` in words. */
  | { readonly type: "unknown"; readonly reason: string };

/** Reads a name in a folder: a file's content, a link's target. Nothing is followed, waited for or thrown. */
export async function readVersion(folder: PinnedFolder, name: string): Promise<FoundVersion> {
  try {
    const stats = lstatSync(folder.address(name), { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return { type: "missing" };
    if (stats.isDirectory()) return { type: "folder" };
    if (stats.isSymbolicLink()) {
      const object = gitObject("blob", readlinkSync(folder.address(name), { encoding: "buffer" }));
      return { type: "kept", version: { blob: object.id, mode: "120000" }, object, stats };
    }
    if (!stats.isFile()) return { type: "unknown", reason: notRegular };
    return await readFile(folder.address(name));
  } catch (error) {
    return readingFailed(error);
  }
}

export const notRegular = "is a pipe, socket or device";
export const tooLarge: string = `is larger than ${maxFileBytes / 1024 / 1024} MB`;

/** What is known of a name whose look-up or reading failed. */
export function readingFailed(error: unknown): FoundVersion {
  const code = errorCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") return { type: "missing" };
  return { type: "unknown", reason: `cannot be read (${code ?? "unknown error"})` };
}

async function readFile(address: string | Buffer): Promise<FoundVersion> {
  // oxlint-disable-next-line no-bitwise -- the system's flags are built that way
  const descriptor = openSync(address, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    if (!stats.isFile()) return { type: "unknown", reason: notRegular };
    const mode = modeOf(Number(stats.mode));
    const content = await readAtMost(descriptor, Number(stats.size));
    if (content === undefined) return await hashOnly(descriptor, stats, mode);
    const object = gitObject("blob", content);
    return { type: "kept", version: { blob: object.id, mode }, object, stats };
  } finally {
    closeSync(descriptor);
  }
}

/** Git's mode of a file. @param mode  the system's */
export function modeOf(mode: number): "100644" | "100755" {
  return Math.floor(mode / 0o100) % 2 === 1 ? "100755" : "100644";
}

/** The whole file, whatever size it claims to have; `undefined`: it is too large to be kept. */
async function readAtMost(descriptor: number, claimedBytes: number): Promise<Buffer | undefined> {
  if (claimedBytes > maxFileBytes) return undefined;
  // One byte more than claimed, so that the end is seen without a second buffer.
  let buffer = Buffer.allocUnsafe(claimedBytes + 1);
  for (let length = 0; ;) {
    if (length === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    const bytesRead = await readPiece(descriptor, buffer.subarray(length), length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > maxFileBytes) return undefined;
  }
}

async function hashOnly(descriptor: number, stats: BigIntStats, mode: "100644" | "100755"): Promise<FoundVersion> {
  const sizeBytes = Number(stats.size);
  if (sizeBytes <= maxFileBytes) return { type: "unknown", reason: "grew while it was being read" };
  if (sizeBytes > maxHashedBytes) return { type: "unknown", reason: tooLarge };
  const hash = createHash("sha1").update(objectHeader("blob", sizeBytes));
  const piece = Buffer.allocUnsafe(hashPieceBytes);
  for (let position = 0; position < sizeBytes;) {
    const bytesRead = await readPiece(descriptor, piece.subarray(0, sizeBytes - position), position);
    if (bytesRead === 0) return { type: "unknown", reason: "shrank while it was being read" };
    hash.update(piece.subarray(0, bytesRead));
    position += bytesRead;
  }
  return { type: "large", version: { blob: hash.digest("hex"), mode }, stats };
}

async function readPiece(descriptor: number, into: Buffer, position: number): Promise<number> {
  if (position + into.length <= promptReadBytes) return readSync(descriptor, into, 0, into.length, position);
  const { bytesRead } = await promisify(read)(descriptor, into, 0, into.length, position);
  return bytesRead;
}

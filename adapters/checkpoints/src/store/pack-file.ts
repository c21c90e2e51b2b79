import { createHash } from "node:crypto";
import { crc32, inflateSync } from "node:zlib";
import { maxObjectBytes } from "../limits.ts";
import { compress } from "./compress.ts";
import { type GitObject, gitObject, type ObjectKind } from "./git-object.ts";
import type { PackedPlace } from "./pack-index.ts";

/** A pack in memory: its bytes, and where each object lies in them. */
export interface Pack {
  readonly pieces: readonly Buffer[];
  readonly places: readonly PackedPlace[];
  /** SHA-1 of all that stands before it. */
  readonly checksum: Buffer;
}

/**
 * Packs objects as they are, none as a difference to another, so that each can be read by itself.
 * @see https://git-scm.com/docs/gitformat-pack for the layout
 */
export async function encodePack(objects: readonly GitObject[]): Promise<Pack> {
  const header = Buffer.alloc(12);
  header.write("PACK", "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(objects.length, 8);
  const pieces = [header];
  const places: PackedPlace[] = [];
  const hash = createHash("sha1").update(header);
  let offset = header.length;
  for (const { id, kind, content } of objects) {
    const piece = Buffer.concat([entryHeader(kind, content.length), await compress(content)]);
    places.push({ id, offset, checksum: crc32(piece) });
    pieces.push(piece);
    hash.update(piece);
    offset += piece.length;
  }
  const checksum = hash.digest();
  return { pieces: [...pieces, checksum], places, checksum };
}

/**
 * The object whose entry stands at the start of `bytes`.
 * @param bytes  may continue behind the entry
 * @returns `undefined` for what is not an entry of ours
 */
export function decodePackEntry(bytes: Buffer): GitObject | undefined {
  const kind = kindNumbers.find(([, number]) => number === Math.floor((bytes[0] ?? 0) / 16) % 8)?.[0];
  if (kind === undefined) return undefined;
  let at = 0;
  while ((bytes[at] ?? 0) >= 128) at += 1;
  try {
    return gitObject(kind, inflateSync(bytes.subarray(at + 1), { maxOutputLength: maxObjectBytes }));
  } catch {
    return undefined;
  }
}

/** Kind and size: four bits of the size in the first byte, seven in each further one, the lowest first. */
function entryHeader(kind: ObjectKind, sizeBytes: number): Buffer {
  const number = kindNumbers.find(([one]) => one === kind)?.[1] ?? 0;
  const bytes: number[] = [];
  let rest = Math.floor(sizeBytes / 16);
  bytes.push(number * 16 + (sizeBytes % 16) + (rest > 0 ? 128 : 0));
  while (rest > 0) {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(low + (rest > 0 ? 128 : 0));
  }
  return Buffer.from(bytes);
}

const kindNumbers: readonly (readonly [ObjectKind, number])[] = [
  ["tree", 2],
  ["blob", 3],
];

import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  opendirSync,
  lstatSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { isWithin } from "@capstan/patterns";
import { messageOf } from "@capstan/protocol";
import { distrust } from "@capstan/settings";
import type { TrustPlace } from "./find-trust-places.ts";
import { maxTrustBytes, maxTrustFileBytes, maxTrustFiles, maxWalkDepth, maxWalkedNames } from "./limits.ts";
import type { TrustClassName } from "./trust-classes.ts";
import type { FolderIdentity } from "./trust-folder.ts";

/** A file as it was read, once: what is shown, hashed and remembered are the same bytes. */
export interface TrustFile {
  readonly path: string;
  /** From the trusted folder. */
  readonly name: string;
  readonly class: TrustClassName;
  readonly sha256: string;
  readonly bytes: Buffer;
}

/** What will not be loaded whatever anyone says, and why. */
export interface RefusedFile {
  readonly name: string;
  readonly class: TrustClassName;
  readonly reason: string;
}

export interface ReadFiles {
  readonly files: readonly TrustFile[];
  readonly refused: readonly RefusedFile[];
}

/** Reads everything that trust would let Capstan load. Folders are read whole; what is too much or no plain file is refused. */
export function readTrustFiles({ path: root }: FolderIdentity, places: readonly TrustPlace[]): ReadFiles {
  const files: TrustFile[] = [];
  const refused: RefusedFile[] = [];
  let totalBytes = 0;
  for (const place of places.flatMap((each) => (each.type === "folder" ? inside(each, refused) : [each]))) {
    const { name, class: className } = place;
    const excess = excessOf(files.length + refused.length, totalBytes + place.sizeBytes);
    if (excess !== undefined) {
      refused.push({ name, class: className, reason: `it and what follows are more than ${excess}` });
      break;
    }
    const read = readPlace(place, root);
    if (typeof read === "string") refused.push({ name, class: className, reason: read });
    if (typeof read !== "object") continue;
    files.push(read);
    totalBytes += read.bytes.length;
  }
  return { files, refused };
}

function excessOf(count: number, totalBytes: number): string | undefined {
  if (count >= maxTrustFiles) return `${maxTrustFiles} files`;
  return totalBytes > maxTrustBytes ? `${maxTrustBytes} bytes` : undefined;
}

/** The files of a folder, in the order of their names at each level. Links are entries, never ways. */
function inside(folder: TrustPlace, refused: RefusedFile[]): readonly TrustPlace[] {
  const found: TrustPlace[] = [];
  let looked = 0;
  const refuse = (name: string, reason: string): void => void refused.push({ name, class: folder.class, reason });
  const walk = (path: string, name: string, depth: number): void => {
    if (depth > maxWalkDepth) return refuse(name, `it lies deeper than ${maxWalkDepth} folders`);
    for (const entry of entriesOf(path, maxWalkedNames - looked)) {
      looked += 1;
      const at = { path: join(path, entry), name: join(name, entry), class: folder.class };
      const stats = lstatSync(at.path, { throwIfNoEntry: false });
      if (stats === undefined) continue;
      if (stats.isDirectory()) walk(at.path, at.name, depth + 1);
      else found.push({ ...at, type: stats.isFile() ? "file" : "other", sizeBytes: stats.size });
    }
    if (looked >= maxWalkedNames) refuse(name, `it has more than ${maxWalkedNames} entries`);
  };
  try {
    walk(folder.path, folder.name, 1);
  } catch (error) {
    refuse(folder.name, `it cannot be read: ${messageOf(error)}`);
  }
  return found;
}

function entriesOf(path: string, limit: number): readonly string[] {
  const names: string[] = [];
  const directory = opendirSync(path);
  try {
    while (names.length < limit) {
      const entry = directory.readSync();
      if (entry === null) break;
      names.push(entry.name);
    }
  } finally {
    directory.closeSync();
  }
  return names.toSorted();
}

/** The file; why it is refused; or nothing when it went away. */
function readPlace(place: TrustPlace, root: string): TrustFile | string | undefined {
  const real = realOf(place.path);
  if (real === undefined) return undefined;
  // A project may keep its configuration elsewhere inside itself; nothing else that is loaded may be a link.
  if (real !== place.path && place.class !== "configuration") return "it is a link";
  if (!isWithin(root, real)) return "it is a link that leads outside the project";
  let descriptor: number;
  try {
    descriptor = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return `it cannot be read: ${messageOf(error)}`;
  }
  try {
    return readOpen(place, descriptor, real);
  } catch (error) {
    return `it cannot be read: ${messageOf(error)}`;
  } finally {
    closeSync(descriptor);
  }
}

function readOpen(place: TrustPlace, descriptor: number, real: string): TrustFile | string {
  // A directory on the way may have become a link since; Linux can say what was really opened.
  if (process.platform === "linux" && readlinkSync(`/proc/self/fd/${descriptor}`) !== real) return "it moved away";
  const stats = fstatSync(descriptor);
  const reason = refusal(stats, place.class);
  if (reason !== undefined) return reason;
  const bytes = readWhole(descriptor, stats.size);
  if (bytes === undefined) return "it is being written to";
  const { path, name, class: className } = place;
  return { path, name, class: className, sha256: createHash("sha256").update(bytes).digest("hex"), bytes };
}

const tooLarge = `it has more than ${maxTrustFileBytes} bytes`;

/** Why an open file is not read. Words for the model are advice, whoever could have written them; all else is obeyed. */
function refusal(stats: Stats, className: TrustClassName): string | undefined {
  if (!stats.isFile()) return "it is no regular file";
  if (stats.size > maxTrustFileBytes) return tooLarge;
  return className === "instructions" ? undefined : distrust(stats);
}

/** All of a file that has so many bytes; `undefined` when it has more. */
function readWhole(descriptor: number, sizeBytes: number): Buffer | undefined {
  const buffer = Buffer.alloc(sizeBytes + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, null);
    length += read;
    if (length > sizeBytes) return undefined;
    if (read === 0) return buffer.subarray(0, length);
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

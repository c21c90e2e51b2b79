import { existsSync } from "node:fs";
import { maxIndexBytes } from "../limits.ts";
import { readBounded } from "./read-bounded.ts";

/** What a repository tracks, by its index (gitformat-index, versions 2 to 4); read when it is first asked. */
export class TrackedPaths {
  readonly #index: string;
  #paths: readonly string[] | undefined;
  #isRead = false;

  constructor(index: string) {
    this.#index = index;
  }

  /**
   * Whether something at or below this path is tracked. An index that cannot be read, or not wholly, may hold anything.
   * @param path  from the work tree, with `/`
   */
  holds(path: string): boolean {
    if (!this.#isRead) {
      this.#isRead = true;
      this.#paths = existsSync(this.#index) ? pathsOf(readBounded(this.#index, maxIndexBytes)) : [];
    }
    if (this.#paths === undefined) return true;
    const bytes = Buffer.from(path, "utf8").toString("latin1");
    const below = `${bytes}/`;
    const at = firstNotBefore(this.#paths, bytes);
    // Sorted by bytes: what is below begins behind names that continue with a sign before "/".
    return this.#paths[at] === bytes || (this.#paths[firstNotBefore(this.#paths, below)] ?? "").startsWith(below);
  }
}

/** The first place whose path does not come before this one. */
function firstNotBefore(paths: readonly string[], path: string): number {
  let [low, high] = [0, paths.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((paths[middle] ?? "") < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

const headerBytes = 12;
/** Before the name of an entry: times, device, inode, mode, owner, size, object id (20 bytes), flags. */
const entryBytes = 62;
const extendedFlag = 0x4000;
const checksumBytes = 20;

/** @returns each path as its bytes, sorted as git sorts them; `undefined` for what is not read here (SHA-256, split indexes, damage) */
function pathsOf(index: Buffer | undefined): readonly string[] | undefined {
  if (index === undefined || index.length < headerBytes + checksumBytes || index.toString("latin1", 0, 4) !== "DIRC")
    return undefined;
  const [version, count] = [index.readUInt32BE(4), index.readUInt32BE(8)];
  if (version < 2 || version > 4) return undefined;
  const end = index.length - checksumBytes;
  const paths: string[] = [];
  let at = headerBytes;
  for (let read = 0; read < count; read += 1) {
    const entry = readEntry(index, at, { version, end, before: paths.at(-1) ?? "" });
    if (entry === undefined || (paths.at(-1) ?? "") > entry.path) return undefined;
    paths.push(entry.path);
    at = entry.next;
  }
  // The rest of a split index lies in another file, which its `link` extension names.
  return hasSplit(index, at, end) ? undefined : paths;
}

interface Place {
  readonly version: number;
  readonly end: number;
  /** The path of the entry before: version 4 says how much of it stays. */
  readonly before: string;
}

function readEntry(
  index: Buffer,
  start: number,
  { version, end, before }: Place,
): { readonly path: string; readonly next: number } | undefined {
  if (start + entryBytes >= end) return undefined;
  // oxlint-disable-next-line no-bitwise -- flags are bits
  const isExtended = version > 2 && (index.readUInt16BE(start + entryBytes - 2) & extendedFlag) !== 0;
  let at = start + entryBytes + (isExtended ? 2 : 0);
  let kept = "";
  if (version === 4) {
    const removed = readOffset(index, at);
    if (removed.value > before.length) return undefined;
    kept = before.slice(0, before.length - removed.value);
    at = removed.next;
  }
  const zero = index.indexOf(0, at);
  if (zero === -1 || zero >= end) return undefined;
  const path = kept + index.toString("latin1", at, zero);
  // Padded with zeros to a multiple of eight, one at least; version 4 has just the one.
  const next = version === 4 ? zero + 1 : start + Math.ceil((zero + 1 - start) / 8) * 8;
  return path === "" ? undefined : { path, next };
}

/** Git's variable-width number: seven bits a byte, and one more for each byte that continues. Behind the end of the index lie zeros. */
function readOffset(index: Buffer, start: number): { readonly value: number; readonly next: number } {
  let at = start;
  let byte = index[at] ?? 0;
  let value = byte % 128;
  while (byte >= 128) {
    at += 1;
    byte = index[at] ?? 0;
    value = (value + 1) * 128 + (byte % 128);
  }
  return { value, next: at + 1 };
}

function hasSplit(index: Buffer, start: number, end: number): boolean {
  for (let at = start; at + 8 <= end;) {
    if (index.toString("latin1", at, at + 4) === "link") return true;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return false;
}

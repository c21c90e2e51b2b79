import { existsSync, readFileSync } from "node:fs";

/** What a row of a table without row ids holds. */
export type RawRow = readonly RawValue[];

export type RawValue = string | number | null | Uint8Array;

/**
 * The rows on every page of a database file that can be understood, whatever the pages above and beside it are. Free pages are
 * left out as far as the list of them can be followed. The file is as large as the memory allows.
 * @see https://sqlite.org/fileformat2.html
 */
export function* rawRows(path: string): Generator<RawRow> {
  const file = openPages(path);
  const free = freePages(file);
  for (let number = 1; number <= file.count; number += 1) {
    const page = free.has(number) ? undefined : file.page(number);
    if (page !== undefined) yield* rowsOn(file, page);
  }
}

interface Pages {
  readonly bytes: number;
  readonly count: number;
  page(number: number): Buffer | undefined;
}

const headerBytes = 100;
const usualPageBytes = 4096;
const logHeaderBytes = 32;
const frameHeaderBytes = 24;

function openPages(path: string): Pages {
  const content = readFileSync(path);
  const bytes = pageBytes(content);
  const log = committedFrames(`${path}-wal`, bytes);
  const count = Math.max(Math.floor(content.length / bytes), ...log.keys());
  const inFile = (number: number): Buffer | undefined => {
    const page = content.subarray((number - 1) * bytes, number * bytes);
    return page.length === bytes ? page : undefined;
  };
  return { bytes, count, page: (number) => log.get(number) ?? inFile(number) };
}

/** By the header, or what every database of ours has when the header is damaged. */
function pageBytes(content: Buffer): number {
  const stored = content.length < headerBytes ? 0 : content.readUInt16BE(16);
  const bytes = stored === 1 ? 65_536 : stored;
  const isPower = Number.isInteger(Math.log2(bytes));
  return isPower && bytes >= 512 && content.length % bytes === 0 ? bytes : usualPageBytes;
}

/** The newest pages of the write-ahead log up to its last commit. */
function committedFrames(path: string, bytes: number): Map<number, Buffer> {
  const committed = new Map<number, Buffer>();
  const log = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  let pending = new Map<number, Buffer>();
  const frameBytes = frameHeaderBytes + bytes;
  for (let at = logHeaderBytes; at + frameBytes <= log.length; at += frameBytes) {
    // Frames of an earlier round of the log have other salts.
    if (!log.subarray(at + 8, at + 16).equals(log.subarray(16, 24))) break;
    pending.set(log.readUInt32BE(at), log.subarray(at + frameHeaderBytes, at + frameBytes));
    if (log.readUInt32BE(at + 4) === 0) continue;
    for (const [number, page] of pending) committed.set(number, page);
    pending = new Map();
  }
  return committed;
}

function freePages(file: Pages): ReadonlySet<number> {
  const free = new Set<number>();
  let trunk = file.page(1)?.readUInt32BE(32) ?? 0;
  while (trunk > 1 && trunk <= file.count && !free.has(trunk)) {
    const page = file.page(trunk);
    free.add(trunk);
    const leaves = Math.min(page?.readUInt32BE(4) ?? 0, file.bytes / 4 - 2);
    for (let at = 0; at < leaves; at += 1) free.add(page?.readUInt32BE(8 + at * 4) ?? 0);
    trunk = page?.readUInt32BE(0) ?? 0;
  }
  return free;
}

const interior = 0x02;
const leaf = 0x0a;

function* rowsOn(file: Pages, page: Buffer): Generator<RawRow> {
  const type = page[0];
  if (type !== interior && type !== leaf) return;
  const [start, skipped] = type === interior ? [12, 4] : [8, 0];
  const cells = Math.min(page.readUInt16BE(3), Math.floor((file.bytes - start) / 2));
  for (let at = 0; at < cells; at += 1) {
    const row = rowAt(file, page, page.readUInt16BE(start + at * 2) + skipped);
    if (row !== undefined) yield row;
  }
}

/** @returns `undefined` when what is there is no row */
function rowAt(file: Pages, page: Buffer, at: number): RawRow | undefined {
  try {
    const size = integerAt(page, at);
    const payload = payloadAt(file, page, size.end, size.value);
    return payload === undefined ? undefined : valuesOf(payload);
  } catch {
    // Whatever points beyond its page is damaged.
    return undefined;
  }
}

/** How much of a row is on its page; the rest is on a chain of others. */
function localBytes(bytes: number, size: number): number {
  const most = Math.floor(((bytes - 12) * 64) / 255) - 23;
  if (size <= most) return size;
  const least = Math.floor(((bytes - 12) * 32) / 255) - 23;
  const some = least + ((size - least) % (bytes - 4));
  return some <= most ? some : least;
}

function payloadAt(file: Pages, page: Buffer, at: number, size: number): Buffer | undefined {
  if (size > file.count * file.bytes) return undefined;
  const local = localBytes(file.bytes, size);
  const parts = [page.subarray(at, at + local)];
  if (at + local > page.length) return undefined;
  let missing = size - local;
  let next = missing > 0 ? page.readUInt32BE(at + local) : 0;
  while (missing > 0) {
    const more = next === 0 ? undefined : file.page(next);
    if (more === undefined) return undefined;
    const part = more.subarray(4, 4 + Math.min(missing, file.bytes - 4));
    parts.push(part);
    missing -= part.length;
    next = more.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

function valuesOf(payload: Buffer): RawRow | undefined {
  const header = integerAt(payload, 0);
  const values: RawValue[] = [];
  let at = header.end;
  let place = header.value;
  while (at < header.value) {
    const type = integerAt(payload, at);
    at = type.end;
    const bytes = bytesOf(type.value);
    if (place + bytes > payload.length) return undefined;
    values.push(valueOf(type.value, payload.subarray(place, place + bytes)));
    place += bytes;
  }
  return place === payload.length ? values : undefined;
}

const numberBytes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

/** Text has odd numbers, blobs have even ones; 10 and 11 are never stored. */
function bytesOf(type: number): number {
  return type < 12 ? (numberBytes[type] ?? Infinity) : Math.floor((type - 12) / 2);
}

function valueOf(type: number, bytes: Buffer): RawValue {
  if (type >= 12) return type % 2 === 1 ? text.decode(bytes) : bytes;
  if (type === 0) return null;
  if (type >= 8) return type - 8;
  if (type === 7) return bytes.readDoubleBE(0);
  return type === 6 ? Number(bytes.readBigInt64BE(0)) : bytes.readIntBE(0, bytes.length);
}

const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A number of one to nine bytes, seven bits in each, the last with eight. */
function integerAt(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let count = 0; count < 9; count += 1) {
    const byte = bytes.readUInt8(at + count);
    if (count === 8) return { value: value * 256 + byte, end: at + 9 };
    value = value * 128 + (byte % 128);
    if (byte < 128) return { value, end: at + count + 1 };
  }
  return { value, end: at + 9 };
}

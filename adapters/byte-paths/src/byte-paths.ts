import { type Dirent, readdirSync, readlinkSync } from "node:fs";
import { maxPathBytes } from "./limits.ts";

/*
 * On Linux a name is bytes, and need not be text. Paths are strings here: a byte that belongs to no UTF-8 character stands as one of
 * U+DC80 to U+DCFF alone, which no text contains, so that such a path names the same file again. Whatever opens a path that
 * was found by looking through folders goes through `onDisk`.
 */

/** @param bytes  a name or path as the file system has it */
export function pathText(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (isExactly(bytes, text)) return text;
  let read = "";
  for (let at = 0; at < bytes.length;) {
    const length = characterLengths.find((each) => isCharacter(bytes.subarray(at, at + each), each)) ?? 0;
    read += length === 0 ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0)) : bytes.toString("utf8", at, at + length);
    at += Math.max(1, length);
  }
  return read;
}

/** The path as the file system has it. */
export function onDisk(path: string): string | Buffer {
  return loneByte.test(path) ? bytesOf(path) : path;
}

/** The same, always as bytes: for arguments that are handed on. */
export function bytesOf(path: string): Buffer {
  if (!loneByte.test(path)) return Buffer.from(path);
  const parts = path.split(everyLoneByte).map((part) => {
    const code = part.length === 1 ? part.charCodeAt(0) : 0;
    return code >= 0xdc80 && code <= 0xdcff ? Buffer.of(code - 0xdc00) : Buffer.from(part);
  });
  return Buffer.concat(parts);
}

/** Where a link leads. @throws the system's error */
export function readLink(path: string): string {
  return pathText(readlinkSync(onDisk(path), "buffer"));
}

/** Whether no path leads there: somebody went there step by step. What lies there can be neither looked at nor covered. */
export function isTooLong(path: string): boolean {
  return path.length > maxPathBytes / 3 && bytesOf(path).length > maxPathBytes;
}

/** What lies in a folder. */
export type FolderEntry = Pick<Dirent, "name" | "isDirectory" | "isFile" | "isSymbolicLink">;

/** @returns nothing for what is gone, no folder, or shut */
export function entriesOf(folder: string): readonly FolderEntry[] {
  try {
    return listFolder(folder);
  } catch {
    return [];
  }
}

/** What lies in a folder. @throws the system's error */
export function listFolder(folder: string): readonly FolderEntry[] {
  const entries = readdirSync(onDisk(folder), { withFileTypes: true });
  if (!entries.some(({ name }) => name.includes(unreadable))) return entries;
  const exact = readdirSync(onDisk(folder), { withFileTypes: true, encoding: "buffer" });
  return exact.map((entry) => ({
    name: pathText(entry.name),
    isDirectory: () => entry.isDirectory(),
    isFile: () => entry.isFile(),
    isSymbolicLink: () => entry.isSymbolicLink(),
  }));
}

/** What Node puts in the place of such bytes. */
export const unreadable = "\uFFFD";
const characterLengths: readonly number[] = [1, 2, 3, 4];
const loneByte = /[\u{dc80}-\u{dcff}]/u;
const everyLoneByte = /([\u{dc80}-\u{dcff}])/u;

function isCharacter(bytes: Buffer, length: number): boolean {
  return bytes.length === length && isExactly(bytes, bytes.toString("utf8"));
}

function isExactly(bytes: Buffer, text: string): boolean {
  return !text.includes(unreadable) || bytes.equals(Buffer.from(text));
}

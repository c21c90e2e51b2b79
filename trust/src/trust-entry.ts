import { isJsonObject } from "@capstan/protocol";
import { maxKeptBytes, maxKeptFileBytes } from "./limits.ts";
import { type TrustClassName, trustClasses } from "./trust-classes.ts";
import type { FolderIdentity } from "./trust-folder.ts";
import type { TrustFile } from "./read-trust-files.ts";

/** What a user trusted: this folder, and these files as they were. */
export interface TrustEntry {
  readonly folder: FolderIdentity;
  /** ms since 1970. */
  readonly trustedAt: number;
  readonly files: readonly TrustedFile[];
  /** The directories that were looked into, from the folder; absent in an entry of an earlier version: the folder alone is certain. */
  readonly levels?: readonly string[];
}

export interface TrustedFile {
  /** From the folder. */
  readonly name: string;
  readonly class: TrustClassName;
  readonly sha256: string;
  /** What it said, to show later what changed; absent where it was no text or too much. */
  readonly text?: string;
}

const version = 1;

export function entryText(entry: TrustEntry): string {
  return `${JSON.stringify({ version, ...entry })}\n`;
}

/** Files as they are remembered: each with its text, as long as there is room. */
export function remembered(files: readonly TrustFile[]): readonly TrustedFile[] {
  let left = maxKeptBytes;
  return files.map(({ name, class: className, sha256, bytes }) => {
    const text = bytes.length > Math.min(left, maxKeptFileBytes) ? undefined : textOf(bytes);
    if (text !== undefined) left -= bytes.length;
    return { name, class: className, sha256, ...(text === undefined ? {} : { text }) };
  });
}

/** The bytes as text; `undefined` when they are none. */
export function textOf(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** @returns `undefined` for anything that this version did not write in just this form */
export function parseEntry(text: string): TrustEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || value["version"] !== version) return undefined;
  const { trustedAt } = value;
  const folder = parseFolder(value["folder"]);
  const files = Array.isArray(value["files"]) ? value["files"].map(parseFile) : [undefined];
  if (folder === undefined || typeof trustedAt !== "number") return undefined;
  const known = files.filter((file) => file !== undefined);
  const levels = value["levels"] === undefined ? [] : parseLevels(value["levels"]);
  if (known.length !== files.length || levels === undefined) return undefined;
  return { folder, trustedAt, files: known, ...(levels.length === 0 ? {} : { levels }) };
}

function parseFolder(value: unknown): FolderIdentity | undefined {
  if (!isJsonObject(value)) return undefined;
  const { path, device, inode, birth } = value;
  const isWhole =
    typeof path === "string" && typeof device === "string" && typeof inode === "string" && typeof birth === "string";
  return isWhole ? { path, device, inode, birth } : undefined;
}

function parseLevels(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((level) => typeof level === "string") ? value : undefined;
}

function parseFile(value: unknown): TrustedFile | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, sha256, text } = value;
  const className = trustClasses.find((known) => known.name === value["class"])?.name;
  if (typeof name !== "string" || typeof sha256 !== "string" || className === undefined) return undefined;
  if (text !== undefined && typeof text !== "string") return undefined;
  return { name, class: className, sha256, ...(text === undefined ? {} : { text }) };
}

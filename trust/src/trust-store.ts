import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { AppError, messageOf } from "@capstan/protocol";
import { prepareDataDirectory, distrust, quotePath } from "@capstan/settings";
import { maxEntryBytes, maxListedEntries } from "./limits.ts";
import { entryText, parseEntry, type TrustEntry } from "./trust-entry.ts";

/** What the store says about a folder. `refused`: what is there is not the user's word, or cannot be understood. */
export type StoredTrust =
  | { readonly type: "entry"; readonly entry: TrustEntry }
  | { readonly type: "none" }
  | { readonly type: "refused"; readonly reason: string };

/**
 * What the user trusts, in the data directory: a file for each folder, named after the folder's path, so that two processes
 * never write over each other's word. Files are the owner's alone, are replaced whole, and are never read through a link or
 * when somebody else could have written them.
 * @param home  the data directory
 */
export function readTrust(home: string, folder: string): StoredTrust {
  return readEntryFile(home, fileName(folder));
}

/** Everything that is trusted, by path, and what cannot be used. */
export function listTrust(home: string): {
  readonly entries: readonly TrustEntry[];
  readonly refused: readonly string[];
} {
  const entries: TrustEntry[] = [];
  const refused = new Set<string>();
  for (const name of namesIn(home)) {
    const stored = readEntryFile(home, name);
    if (stored.type === "entry") entries.push(stored.entry);
    if (stored.type === "refused") refused.add(stored.reason);
  }
  return { entries: entries.toSorted((a, b) => (a.folder.path < b.folder.path ? -1 : 1)), refused: [...refused] };
}

/** Remembers a folder, in place of what was known of it. @throws AppError `trust.store`, `storage.unavailable` */
export async function writeTrust(home: string, entry: TrustEntry): Promise<void> {
  await prepareDataDirectory(home);
  const store = storeOf(home);
  try {
    if (stateOf(home).type === "absent") mkdirSync(store, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it in the meantime.
    if (stateOf(home).type === "absent") throw unusable(store, messageOf(error), error);
  }
  const state = stateOf(home);
  if (state.type === "unusable") throw unusable(store, state.reason);
  const file = join(store, fileName(entry.folder.path));
  const draft = `${file}.${randomBytes(8).toString("hex")}.new`;
  try {
    writeNew(draft, entryText(entry));
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw unusable(file, messageOf(error), error);
  }
}

/** Forgets a folder. @returns whether it was known @throws AppError `trust.store` */
export function removeTrust(home: string, folder: string): boolean {
  const state = stateOf(home);
  if (state.type === "absent") return false;
  if (state.type === "unusable") throw unusable(storeOf(home), state.reason);
  const file = join(storeOf(home), fileName(folder));
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return false;
    rmSync(file);
    return true;
  } catch (error) {
    throw unusable(file, messageOf(error), error);
  }
}

function readEntryFile(home: string, name: string): StoredTrust {
  const store = storeOf(home);
  const state = stateOf(home);
  if (state.type === "absent") return { type: "none" };
  if (state.type === "unusable") return { type: "refused", reason: `${quotePath(store)} is ignored: ${state.reason}` };
  const refused = (reason: string): StoredTrust => ({
    type: "refused",
    reason: `${quotePath(join(store, name))} is ignored: ${reason}`,
  });
  let descriptor: number;
  try {
    descriptor = openSync(join(store, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return { type: "none" };
    return refused(code === "ELOOP" ? "it is a link" : messageOf(error));
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > maxEntryBytes) return refused("it is no file that was written here");
    const reason = distrust(stats);
    if (reason !== undefined) return refused(reason);
    const entry = parseEntry(readFileSync(descriptor, "utf8"));
    if (entry === undefined || fileName(entry.folder.path) !== name) return refused("it cannot be understood");
    return { type: "entry", entry };
  } finally {
    closeSync(descriptor);
  }
}

type StoreState = { readonly type: "absent" | "usable" } | { readonly type: "unusable"; readonly reason: string };

function stateOf(home: string): StoreState {
  try {
    const stats = lstatSync(storeOf(home), { throwIfNoEntry: false });
    if (stats === undefined) return { type: "absent" };
    const reason = stats.isDirectory() ? distrust(stats) : "it is no folder";
    return reason === undefined ? { type: "usable" } : { type: "unusable", reason };
  } catch (error) {
    // A data directory that is none holds no store.
    return codeOf(error) === "ENOTDIR" ? { type: "absent" } : { type: "unusable", reason: messageOf(error) };
  }
}

function namesIn(home: string): readonly string[] {
  if (stateOf(home).type === "absent") return [];
  const names = readdirSync(storeOf(home)).filter((name) => /^[0-9a-f]{64}\.json$/.test(name));
  return names.slice(0, maxListedEntries);
}

function storeOf(home: string): string {
  return join(home, "trust");
}

function fileName(folder: string): string {
  return `${createHash("sha256").update(folder).digest("hex")}.json`;
}

function writeNew(file: string, text: string): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const descriptor = openSync(file, flags, 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function unusable(path: string, reason: string, cause?: unknown): AppError {
  return new AppError("trust.store", `${quotePath(path)} cannot be used: ${reason}`, {
    cause,
    hint: "Trust is kept there. Make it yours alone (`chmod -R go-w`), or remove it and trust your folders again.",
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

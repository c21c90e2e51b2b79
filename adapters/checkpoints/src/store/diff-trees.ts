import type { FileVersion } from "@capstan/protocol";
import type { ObjectStore } from "./object-store.ts";
import { decodeTree, type TreeEntry } from "./tree-object.ts";

/** A path at which two trees differ. `null`: no file there; `"unknown"`: it is a gap by now, or lies below one. What was a gap before is no difference. */
export interface TreeDifference {
  /** Relative to the trees, with "/". */
  readonly path: string;
  readonly before: FileVersion | null;
  readonly after: FileVersion | null | "unknown";
}

/**
 * Compares two trees file by file; folders that are the same are not opened.
 * @throws {AppError} `storage.corrupt` when a folder is missing
 */
export async function* diffTrees(store: ObjectStore, before: string, after: string): AsyncGenerator<TreeDifference> {
  if (before === after) return;
  yield* diffFolders(store, "", before, after);
}

/** An entry as far as it matters here; `undefined`: no such name. */
type Side = TreeEntry | undefined;

async function* diffFolders(
  store: ObjectStore,
  path: string,
  before: string | undefined,
  after: string | undefined,
): AsyncGenerator<TreeDifference> {
  const old = await entriesOf(store, before);
  const present = await entriesOf(store, after);
  for (const name of new Set([...old.keys(), ...present.keys()])) {
    yield* diffEntries(store, path === "" ? name : `${path}/${name}`, old.get(name), present.get(name));
  }
}

async function* diffEntries(
  store: ObjectStore,
  path: string,
  before: Side,
  after: Side,
): AsyncGenerator<TreeDifference> {
  if (before?.id === after?.id && before?.mode === after?.mode) return;
  // What was there before is not known, nor what was below it.
  if (isGap(before)) return;
  if (isGap(after)) {
    yield* lostFiles(store, path, before);
    return;
  }
  const files = { before: versionOf(before), after: versionOf(after) };
  if (files.before !== null || files.after !== null) yield { path, ...files };
  const [beforeFolder, afterFolder] = [folderOf(before), folderOf(after)];
  if (beforeFolder !== undefined || afterFolder !== undefined) {
    yield* diffFolders(store, path, beforeFolder, afterFolder);
  }
}

/** What has become a gap: a name that was not there, a file, or all files of a folder. */
async function* lostFiles(store: ObjectStore, path: string, before: Side): AsyncGenerator<TreeDifference> {
  const folder = folderOf(before);
  if (folder === undefined) {
    yield { path, before: versionOf(before), after: "unknown" };
    return;
  }
  for (const entry of (await entriesOf(store, folder)).values()) {
    if (!isGap(entry)) yield* lostFiles(store, `${path}/${entry.name}`, entry);
  }
}

async function entriesOf(store: ObjectStore, folder: string | undefined): Promise<ReadonlyMap<string, TreeEntry>> {
  if (folder === undefined) return new Map();
  return new Map(decodeTree(await store.readTree(folder)).map((entry) => [entry.name, entry]));
}

function versionOf(entry: Side): FileVersion | null {
  if (entry === undefined || isGap(entry) || folderOf(entry) !== undefined) return null;
  return { blob: entry.id, mode: entry.mode };
}

function folderOf(entry: Side): string | undefined {
  return entry?.mode === "40000" ? entry.id : undefined;
}

function isGap(entry: Side): boolean {
  return entry?.mode === "160000";
}

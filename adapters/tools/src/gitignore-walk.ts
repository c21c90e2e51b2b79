import { closeSync, constants, type Dirent, existsSync, lstatSync, opendirSync, openSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { OpenFile } from "./paths/open-file.ts";
import { IgnoreTree } from "./search/ignore-tree.ts";
import { maxDirectoryEntries, maxWalkDepth, maxWalkEntries, sliceMs } from "./search/limits.ts";

export interface WalkRequest {
  /** Absolute real path of the directory to walk. */
  readonly start: string;
  /** The real root of the workspace it lies in. */
  readonly root: string;
  /** Whether names that begin with a dot are visited. `.git` never is. */
  readonly hidden: boolean;
  /** Directories that are not entered. @param path  relative to the start */
  readonly skips?: (path: string) => boolean;
  /** Levels that are listed; absent: all. */
  readonly depth?: number;
  /** What git ignores is visited like everything else. */
  readonly ignoresNothing?: boolean;
  /** What git ignores, and `.git`, is named and not entered; else it is left out. */
  readonly namesIgnored?: boolean;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** A name in the tree, for a listing. */
export interface ListedEntry {
  /** Relative to the start, with "/". */
  readonly path: string;
  readonly type: "file" | "link" | "directory";
}

/** A file in the tree. Links are named, never followed. */
export interface WalkEntry {
  /** Relative to the start, with "/". */
  readonly path: string;
  readonly type: "file" | "link";
  /** Opens the file in the directory that was walked, without following a link or waiting for the other end of a pipe. */
  open(): OpenFile | undefined;
}

/** Why a walk ended before it had seen everything. */
export type WalkStop = "time" | "count";

/**
 * Visits files in the order of their paths, what git ignores left out, until `visit` answers `stop`. Directories are entered
 * by descriptor, so that one swapped for a link leads nowhere. Bounded in time, number and depth; the main thread is given
 * back every few milliseconds.
 * @returns why it did not see everything; `undefined`: it did, or `visit` stopped it
 * @throws the signal's reason
 */
export async function gitignoreWalk(
  request: WalkRequest,
  visit: (entry: WalkEntry) => "continue" | "stop" | Promise<"continue" | "stop">,
): Promise<WalkStop | undefined> {
  return await walk(request, ({ path, type, address }) =>
    type === "directory" ? "continue" : visit({ path, type, open: () => openFile(address) }),
  );
}

/** The same with directories, each before what is in it. */
export async function listTree(
  request: WalkRequest,
  visit: (entry: ListedEntry) => "continue" | "stop",
): Promise<WalkStop | undefined> {
  return await walk(request, ({ path, type }) => visit({ path, type }));
}

async function walk(
  request: WalkRequest,
  visit: (entry: TreeEntry) => "continue" | "stop" | Promise<"continue" | "stop">,
): Promise<WalkStop | undefined> {
  const startedAt = performance.now();
  const bounds = { left: maxWalkEntries, cut: false };
  let sliceAt = startedAt;
  for (const entry of walkTree(request, bounds)) {
    const now = performance.now();
    if (now - sliceAt > sliceMs) {
      await nextTurn();
      sliceAt = performance.now();
    }
    request.signal.throwIfAborted();
    if (now - startedAt > request.timeoutMs) return "time";
    const answer = visit(entry);
    if ((typeof answer === "string" ? answer : await answer) === "stop") return undefined;
  }
  return bounds.cut ? "count" : undefined;
}

interface Bounds {
  left: number;
  cut: boolean;
}

interface TreeEntry {
  readonly path: string;
  /** A directory is yielded too, so that a tree without files does not hold the thread. */
  readonly type: WalkEntry["type"] | "directory";
  /** Its address by the descriptor of its directory. */
  readonly address: string;
}

interface OpenDirectory {
  readonly descriptor: number;
  /** Relative to the start; empty for the start itself. */
  readonly path: string;
  /** In order, the next one last. */
  readonly entries: TreeEntry[];
}

function* walkTree(request: WalkRequest, bounds: Bounds): Generator<TreeEntry> {
  const ignored = new IgnoreTree(request.start, request.root);
  const open: OpenDirectory[] = [];
  const enter = (path: string, address: string): void => {
    const descriptor = open.length < maxWalkDepth ? openDirectory(address) : undefined;
    if (open.length >= maxWalkDepth) bounds.cut = true;
    if (descriptor === undefined) return;
    const pinned = pinnedAddress(descriptor, join(request.start, path));
    // The way to the start may have been swapped since it was checked; below it, nothing is looked up by path.
    if (path === "" && hasMoved(pinned, request.start)) return closeSync(descriptor);
    const entries = list(pinned, bounds).flatMap((entry) => toTreeEntry(entry, path, pinned));
    const visited = entries.filter((entry) => isVisited(entry, request, ignored));
    open.push({ descriptor, path, entries: visited.toSorted(lastFirst) });
  };
  try {
    enter("", request.start);
    for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
      const entry = current.entries.pop();
      if (entry === undefined) {
        closeSync(current.descriptor);
        open.pop();
        continue;
      }
      yield entry;
      if (entry.type === "directory" && isEntered(entry, request, ignored)) enter(entry.path, entry.address);
    }
  } finally {
    for (const { descriptor } of open) closeSync(descriptor);
  }
}

/** @returns `undefined` for what cannot be entered, is a link by now, or is gone */
function openDirectory(address: string): number | undefined {
  try {
    return openSync(address, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
}

/** @returns `undefined` for what cannot be opened, is a link by now, or is gone */
function openFile(address: string): OpenFile | undefined {
  try {
    return OpenFile.open(address, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

/** Where there is no /proc, the name must do: weaker, since a swap between two steps goes unnoticed. */
function pinnedAddress(descriptor: number, path: string): string {
  return process.platform === "linux" && existsSync("/proc/self/fd") ? `/proc/self/fd/${descriptor}` : path;
}

function hasMoved(address: string, realPath: string): boolean {
  try {
    return address !== realPath && readlinkSync(address) !== realPath;
  } catch {
    return true;
  }
}

function list(address: string, bounds: Bounds): readonly Dirent[] {
  const entries: Dirent[] = [];
  try {
    const directory = opendirSync(address, { bufferSize: 512 });
    try {
      for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
        if (bounds.left === 0 || entries.length === maxDirectoryEntries) {
          bounds.cut = true;
          break;
        }
        bounds.left -= 1;
        entries.push(entry);
      }
    } finally {
      directory.closeSync();
    }
  } catch {
    // A directory that cannot be listed has nothing to show.
  }
  return entries;
}

function toTreeEntry(entry: Dirent, directory: string, address: string): readonly TreeEntry[] {
  const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
  const known = entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
  const place = { path, address: join(address, entry.name) };
  const kind = known ? entry : inspect(place.address);
  if (kind === undefined) return [];
  if (kind.isDirectory()) return [{ ...place, type: "directory" }];
  if (kind.isSymbolicLink()) return [{ ...place, type: "link" }];
  return kind.isFile() ? [{ ...place, type: "file" }] : [];
}

/** Some file systems do not say the type when they list. */
function inspect(address: string): Pick<Dirent, "isDirectory" | "isFile" | "isSymbolicLink"> | undefined {
  return lstatSync(address, { throwIfNoEntry: false });
}

function isEntered({ path }: TreeEntry, request: WalkRequest, ignored: IgnoreTree): boolean {
  if (path.split("/").length >= (request.depth ?? Infinity)) return false;
  return request.namesIgnored !== true || (nameOf(path) !== ".git" && !ignored.ignores(path, true));
}

function isVisited(entry: TreeEntry, request: WalkRequest, ignored: IgnoreTree): boolean {
  const name = nameOf(entry.path);
  const isDirectory = entry.type === "directory";
  if (!request.hidden && name.startsWith(".")) return false;
  if (request.namesIgnored !== true && name === ".git") return false;
  const isIgnored = request.namesIgnored !== true && request.ignoresNothing !== true;
  if (isIgnored && ignored.ignores(entry.path, isDirectory)) return false;
  return !isDirectory || !(request.skips?.(entry.path) ?? false);
}

/** Paths in order, compared as a whole: a directory is where its files will be. */
function lastFirst(a: TreeEntry, b: TreeEntry): number {
  return sortKey(a) < sortKey(b) ? 1 : -1;
}

function sortKey(entry: TreeEntry): string {
  return entry.type === "directory" ? `${entry.path}/` : entry.path;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

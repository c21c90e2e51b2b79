import { lstatSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { bytesOf, type FolderEntry, onDisk } from "@capstan/byte-paths";
import { bytesText, type IgnoreRules, judgeIgnored, maxIgnoreFileBytes, parseIgnoreRules } from "@capstan/patterns";
import { errorCode } from "../files/error-code.ts";
import { PinnedFolder } from "../files/pinned-folder.ts";
import { modeOf, notRegular, readVersion, tooLarge } from "../files/read-version.ts";
import { maxFileBytes, maxWalkDepth, maxWalkEntries, sliceMs } from "../limits.ts";
import type { ObjectBatch, ObjectStore } from "../store/object-store.ts";
import { encodeTree, gapId, type TreeEntry } from "../store/tree-object.ts";
import { inOrder, kindOf, listOrClose, lookAt } from "./list-folder.ts";
import { isMarkedCache, isNeverKept, isRepositoryEntry } from "./never-kept.ts";
import { isStill, type SeenFile, type SeenFiles, toSeenFile } from "./stat-cache.ts";

/** How much one tree may hold. What comes later in the order of names is left out. */
export interface SnapshotLimits {
  readonly files: number;
  readonly bytes: number;
}

export interface WalkRequest {
  /** Absolute real path. */
  readonly root: string;
  readonly store: ObjectStore;
  readonly batch: ObjectBatch;
  readonly seen: SeenFiles;
  /** Paths relative to the root whose content is none of this walk's: other roots, the store. */
  readonly excluded: ReadonlySet<string>;
  readonly limits: SnapshotLimits;
  /** Called with everything that is neither kept nor ignored, with the path relative to the root. */
  readonly onLeft: (path: string, reason: string) => void;
  readonly signal: AbortSignal;
}

export interface WalkedTree {
  readonly tree: string;
  readonly seen: SeenFiles;
  /** Whether `seen` differs from the one of the request. */
  readonly isChanged: boolean;
}

/**
 * Keeps a whole tree: every file and link that is not ignored becomes an object, every folder a Git tree. What is there and
 * not kept becomes a gap. Folders are entered by descriptor and links are not followed.
 *
 * Ignored is what the .gitignore files of the tree say (a nested repository's rules start over at its top, as for Git), and
 * what `isNeverKept` names; neither Git's configuration nor its index have a say, so that a file which is both tracked and
 * ignored is ignored. Folders without files are not kept.
 * @throws the system's error when the root cannot be entered; the signal's reason
 */
export async function walkTree(request: WalkRequest): Promise<WalkedTree> {
  request.signal.throwIfAborted();
  const walk = new TreeWalk(request);
  const folder = PinnedFolder.at(request.root);
  const entries = await walk.keepFolder({ folder, path: "", names: [], rules: undefined }, listOrClose(folder));
  const tree = encodeTree(entries);
  await request.batch.add(tree);
  return { tree: tree.id, seen: walk.seen, isChanged: walk.isChanged || walk.seen.size !== request.seen.size };
}

/** A folder on the way: its path relative to the root, its names as latin1 text of their bytes. */
interface Place {
  readonly folder: PinnedFolder;
  readonly path: string;
  readonly names: readonly string[];
  readonly rules: IgnoreRules | undefined;
}

class TreeWalk {
  readonly seen = new Map<string, SeenFile>();
  isChanged = false;
  readonly #request: WalkRequest;
  #entriesLeft = maxWalkEntries;
  #filesLeft: number;
  #bytesLeft: number;
  #sliceAt = performance.now();

  constructor(request: WalkRequest) {
    this.#request = request;
    this.#filesLeft = request.limits.files;
    this.#bytesLeft = request.limits.bytes;
  }

  /** Closes the folder. */
  async keepFolder(place: Place, found: readonly FolderEntry[]): Promise<readonly TreeEntry[]> {
    try {
      const siblings = new Set(found.map(({ name }) => name));
      const here = { ...place, rules: await rulesOf(place, siblings) };
      const entries: TreeEntry[] = [];
      for (const each of inOrder(found)) {
        if (performance.now() - this.#sliceAt > sliceMs) await this.#pause();
        // Nearly all files are what they were; waiting for each of them would take longer than looking at it.
        const looked = this.#look(here, each, siblings);
        const entry = typeof looked === "function" ? await looked() : looked;
        if (entry !== undefined) entries.push(entry);
      }
      return entries;
    } finally {
      place.folder.close();
    }
  }

  /** @returns the entry, or what it takes to make it; `undefined`: there is nothing to keep, nor to leave */
  #look(
    place: Place,
    found: FolderEntry,
    siblings: ReadonlySet<string>,
  ): TreeEntry | undefined | (() => Promise<TreeEntry | undefined>) {
    const { name } = found;
    const path = place.path === "" ? name : `${place.path}/${name}`;
    const kind = kindOf(found, place.folder);
    if (kind === "gone") return undefined;
    if (isRepositoryEntry(name)) return undefined;
    if (this.#request.excluded.has(path) || isNeverKept(name, kind === "folder", siblings)) return gap(name);
    const bytes = name.isWellFormed() ? bytesText(name) : bytesOf(name).toString("latin1");
    const verdict = judgeIgnored(place.rules, { folders: place.names, name: bytes, isFolder: kind === "folder" });
    if (verdict === "ignored") return gap(name);
    if (kind === "special") return this.#leave(path, name, notRegular);
    if (this.#entriesLeft === 0 || this.#filesLeft === 0) return this.#leave(path, name, "there are too many files");
    this.#entriesLeft -= 1;
    if (kind === "folder")
      return async () => await this.#enter({ ...place, path, names: [...place.names, bytes] }, name);
    return this.#lookAtFile(place.folder, path, name);
  }

  async #enter(place: Place, name: string): Promise<TreeEntry | undefined> {
    if (place.names.length > maxWalkDepth) return this.#leave(place.path, name, "lies too deep");
    let folder: PinnedFolder;
    let found: readonly FolderEntry[];
    try {
      folder = place.folder.enter(name);
      found = listOrClose(folder);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      return this.#leave(place.path, name, `cannot be read (${errorCode(error) ?? "unknown error"})`);
    }
    if (isMarkedCache(found)) {
      folder.close();
      return gap(name);
    }
    const entries = await this.keepFolder({ ...place, folder }, found);
    if (entries.length === 0) return undefined;
    const tree = encodeTree(entries);
    await this.#request.batch.add(tree);
    return { name, mode: "40000", id: tree.id };
  }

  #lookAtFile(
    folder: PinnedFolder,
    path: string,
    name: string,
  ): TreeEntry | undefined | (() => Promise<TreeEntry | undefined>) {
    const known = this.#request.seen.get(path);
    const mode = known === undefined ? undefined : this.#modeIfStill(path, known);
    if (known !== undefined && mode !== undefined) {
      if (known.sizeBytes > this.#bytesLeft) return this.#leave(path, name, tooMuch);
      this.#count(known.sizeBytes);
      this.seen.set(path, known);
      return { name, mode, id: known.blob };
    }
    // Reading a file only to find that there is no room for it would be for nothing.
    const claimed = lookAt(folder, name)?.size ?? 0;
    if (claimed > maxFileBytes) return this.#leave(path, name, tooLarge);
    if (claimed > this.#bytesLeft) return this.#leave(path, name, tooMuch);
    return async () => await this.#readFile(folder, path, name);
  }

  async #readFile(folder: PinnedFolder, path: string, name: string): Promise<TreeEntry | undefined> {
    const beforeMs = Date.now();
    const found = await readVersion(folder, name);
    switch (found.type) {
      case "kept": {
        const { version, object, stats } = found;
        await this.#request.batch.add(object);
        this.#count(object.content.length);
        const remembered = stats.isFile() ? toSeenFile(version.blob, stats, beforeMs) : undefined;
        if (remembered !== undefined) this.seen.set(path, remembered);
        this.isChanged ||= remembered !== undefined;
        return { name, mode: stats.isFile() ? modeOf(Number(stats.mode)) : "120000", id: version.blob };
      }
      case "large":
        return this.#leave(path, name, tooLarge);
      case "unknown":
        return this.#leave(path, name, found.reason);
      case "folder":
        return this.#leave(path, name, "became a folder while it was being read");
      case "missing":
        return undefined;
    }
  }

  /**
   * The mode of a file that is what it was. Looked up by path, which takes half the time: whatever the path leads to by now,
   * the same inode with the same times has the same content.
   */
  #modeIfStill(path: string, seen: SeenFile): "100644" | "100755" | undefined {
    try {
      const stats = lstatSync(onDisk(`${this.#request.root}/${path}`), { throwIfNoEntry: false });
      if (stats === undefined || !isStill(seen, stats) || !this.#request.store.has(seen.blob)) return undefined;
      return modeOf(stats.mode);
    } catch {
      return undefined;
    }
  }

  #count(sizeBytes: number): void {
    this.#filesLeft -= 1;
    this.#bytesLeft -= sizeBytes;
  }

  #leave(path: string, name: string, reason: string): TreeEntry {
    this.#request.onLeft(path, reason);
    return gap(name);
  }

  async #pause(): Promise<void> {
    await nextTurn();
    this.#request.signal.throwIfAborted();
    this.#sliceAt = performance.now();
  }
}

const tooMuch = "there is too much in all the files before it";

function gap(name: string): TreeEntry {
  return { name, mode: "160000", id: gapId };
}

/** The rules that hold in a folder. A repository's start over. */
async function rulesOf(place: Place, siblings: ReadonlySet<string>): Promise<IgnoreRules | undefined> {
  const above = siblings.has(".git") ? undefined : place.rules;
  if (!siblings.has(".gitignore")) return above;
  const found = await readVersion(place.folder, ".gitignore");
  // Git does not follow a link here either.
  if (found.type !== "kept" || !found.stats.isFile()) return above;
  const rules = parseIgnoreRules(found.object.content.toString("latin1", 0, maxIgnoreFileBytes));
  return rules.length === 0 ? above : { depth: place.names.length, rules, above };
}

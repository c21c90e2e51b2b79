import { type BigIntStats, lstatSync } from "node:fs";
import { onDisk } from "@capstan/byte-paths";
import { maxRememberedFolders, maxRememberedTrees, settledFolderMs } from "../limits.ts";

interface Remembered<Found> {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly ctimeNs: bigint;
  readonly found: Found;
}

/**
 * What was found in folders, so that one that is as it was is not read again: in a workspace of many files the same few thousand folders are
 * looked through before and after every command. A folder is as it was when it is the same one and the time of its last change is, which
 * changes with every name that comes, goes or becomes another and with the rights to it, and which nobody can set. What was changed only just now is read again,
 * because the clock of a file system may be coarse. What is found must follow from the folder's path, its rights, and its names and their types alone.
 */
export class FolderMemory<Found> {
  readonly #folders = new Map<string, Remembered<Found>>();
  readonly #now: () => number;

  /** @param now  ms since 1970 */
  constructor(now: () => number = () => Date.now()) {
    this.#now = now;
  }

  /** @param look  reads the folder, without an error where it is gone */
  of(path: string, look: () => Found): Found {
    const now = identityOf(path);
    const known = this.#folders.get(path);
    if (now !== undefined && known !== undefined && isSame(known, now)) return known.found;
    this.#folders.delete(path);
    const found = look();
    if (now === undefined || this.#now() - Number(now.ctimeMs) < settledFolderMs) return found;
    if (this.#folders.size >= maxRememberedFolders) this.#folders.clear();
    const { dev, ino, ctimeNs } = now;
    this.#folders.set(path, { dev, ino, ctimeNs, found });
    return found;
  }
}

/** One memory for each tree that is looked through, and for what is looked for in it. */
export class TreeMemory<Found> {
  readonly #trees = new Map<string, FolderMemory<Found>>();

  /** @param sought  everything that decides what is found, but for the folders themselves */
  of(...sought: readonly unknown[]): FolderMemory<Found> {
    const key = JSON.stringify(sought);
    const known = this.#trees.get(key) ?? new FolderMemory<Found>();
    // The last one that was used goes last.
    this.#trees.delete(key);
    this.#trees.set(key, known);
    const [oldest] = this.#trees.keys();
    if (this.#trees.size > maxRememberedTrees && oldest !== undefined) this.#trees.delete(oldest);
    return known;
  }
}

function identityOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(onDisk(path), { bigint: true, throwIfNoEntry: false });
  } catch {
    // It may not be looked at: nothing is known of it.
    return undefined;
  }
}

function isSame(known: Remembered<unknown>, now: BigIntStats): boolean {
  return known.ino === now.ino && known.ctimeNs === now.ctimeNs && known.dev === now.dev;
}

import { createHash } from "node:crypto";
import type { BigIntStats, Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { coarseRacyMs, maxRememberedRoots, maxStatCacheBytes, racyMs } from "../limits.ts";
import { writeLoosely } from "../store/durable-file.ts";
import { isObjectId } from "../store/git-object.ts";

/** A file as it was when it was last read: as long as all of this is the same, so is its content. */
export interface SeenFile {
  readonly blob: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** Of the inode: nobody can set it. */
  readonly changedMs: number;
  readonly inode: number;
}

/** The files of one root, by path relative to it. */
export type SeenFiles = ReadonlyMap<string, SeenFile>;

/**
 * Remembers which content files had, so that only changed ones are read again. Only ever a shortcut: lost, broken or
 * overwritten by another process, it costs time and nothing else.
 */
export class StatCache {
  readonly #folder: string;
  readonly #remembered = new Map<string, SeenFiles>();

  /** @param folder  exists when something is written */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async load(root: string): Promise<SeenFiles> {
    return this.#remembered.get(root) ?? (await this.#read(root));
  }

  /** @param isChanged  whether it differs from what was loaded */
  async save(root: string, files: SeenFiles, isChanged: boolean): Promise<void> {
    this.#remembered.delete(root);
    this.#remembered.set(root, files);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > maxRememberedRoots && oldest !== undefined) this.#remembered.delete(oldest);
    if (!isChanged) return;
    const rows = [...files].map(([path, seen]) => [path, ...toRow(seen)]);
    try {
      await writeLoosely(this.#pathOf(root), [Buffer.from(JSON.stringify([version, ...rows]))]);
    } catch {
      // The next process reads the files again.
    }
  }

  async #read(root: string): Promise<SeenFiles> {
    try {
      const path = this.#pathOf(root);
      if ((await stat(path)).size > maxStatCacheBytes) return new Map();
      const rows: unknown = JSON.parse(await readFile(path, "utf8"));
      if (!Array.isArray(rows) || rows[0] !== version) return new Map();
      return new Map(rows.slice(1).flatMap(fromRow));
    } catch {
      return new Map();
    }
  }

  #pathOf(root: string): string {
    return join(this.#folder, `${createHash("sha256").update(root).digest("hex")}.json`);
  }
}

/** Whether a file is still what was seen. */
export function isStill(seen: SeenFile, stats: Stats): boolean {
  return (
    stats.isFile() &&
    isSameTime(seen.changedMs, stats.ctimeMs) &&
    isSameTime(seen.modifiedMs, stats.mtimeMs) &&
    seen.sizeBytes === stats.size &&
    seen.inode === stats.ino
  );
}

/**
 * What is remembered of a file that was just read.
 * @param stats  taken before its content was read
 * @param beforeMs  when the reading began
 * @returns `undefined` when it may change again without a new time, so that it must be read again
 */
export function toSeenFile(blob: string, stats: BigIntStats, beforeMs: number): SeenFile | undefined {
  const isCoarse = stats.mtimeNs % 1_000_000_000n === 0n && stats.ctimeNs % 1_000_000_000n === 0n;
  const latestMs = Number(stats.mtimeNs > stats.ctimeNs ? stats.mtimeNs : stats.ctimeNs) / 1e6;
  if (latestMs > beforeMs - (isCoarse ? coarseRacyMs : racyMs)) return undefined;
  return {
    blob,
    sizeBytes: Number(stats.size),
    modifiedMs: Number(stats.mtimeNs) / 1e6,
    changedMs: Number(stats.ctimeNs) / 1e6,
    inode: Number(stats.ino),
  };
}

const version = "capstan-seen-1";

/** To 2 µs: the two kinds of stats are rounded differently, and kernels count in thousands of them. */
function isSameTime(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.002;
}

function toRow({ blob, sizeBytes, modifiedMs, changedMs, inode }: SeenFile): readonly (string | number)[] {
  return [blob, sizeBytes, modifiedMs, changedMs, inode];
}

function fromRow(row: unknown): readonly (readonly [string, SeenFile])[] {
  if (!Array.isArray(row)) return [];
  const [path, blob, sizeBytes, modifiedMs, changedMs, inode]: unknown[] = row;
  if (typeof path !== "string" || typeof blob !== "string" || !isObjectId(blob)) return [];
  if (typeof sizeBytes !== "number" || typeof modifiedMs !== "number") return [];
  if (typeof changedMs !== "number" || typeof inode !== "number") return [];
  return [[path, { blob, sizeBytes, modifiedMs, changedMs, inode }]];
}

import type { Stats } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { entriesOf } from "@capstan/byte-paths";
import { entryAt } from "../layout/real-path.ts";
import { entryOf } from "./shut-folder.ts";
import { maxLinkedFolders, surveySliceDirectories } from "../limits.ts";
import type { Mount } from "../layout/profile.ts";

/** Further names of files that are covered. */
export interface OtherNames {
  readonly names: readonly { readonly path: string; readonly of: Mount }[];
  /** Not everything was looked at. */
  readonly isPartial: boolean;
}

/**
 * Hard links: what is covered under one name must not be read or changed under another. Looked for only where a covered file has
 * more names than are known.
 * @param mounts  what is covered
 * @param roots  folders that the program sees
 */
export async function otherNamesOf(mounts: readonly Mount[], roots: readonly string[]): Promise<OtherNames> {
  const wanted = new Map<string, Wanted>();
  for (const mount of mounts) if (mount.type !== "pinned") await note(mount, wanted);
  const missing = [...wanted.values()].reduce((sum, each) => sum + Math.max(0, each.count - coveredNames(each)), 0);
  if (missing === 0) return { names: [], isPartial: false };
  return await search(roots, wanted, missing);
}

/** A file with several names. */
interface Wanted {
  readonly mount: Mount;
  /** Names in all. */
  readonly count: number;
  /** Names that are known, and how each is covered by itself. */
  readonly paths: Map<string, Mount["type"]>;
}

function coveredNames({ mount, paths }: Wanted): number {
  return [...paths.values()].filter((type) => type === "closed" || type === mount.type).length;
}

async function note(mount: Mount, wanted: Map<string, Wanted>): Promise<void> {
  const entry = entryAt(mount.path);
  if (entry === undefined) return;
  if (entry.isFile()) noteFile(mount, mount.path, entry, wanted);
  if (!entry.isDirectory()) return;
  await walk([mount.path], (path, found) => {
    noteFile(mount, path, found, wanted);
    return true;
  });
}

function noteFile(mount: Mount, path: string, { dev, ino, nlink }: Stats, wanted: Map<string, Wanted>): void {
  if (nlink < 2) return;
  const key = `${dev}:${ino}`;
  const known = wanted.get(key);
  // The stricter cover holds for all names.
  const stricter =
    known === undefined || (known.mount.type !== "closed" && mount.type === "closed") ? mount : known.mount;
  const paths = known?.paths ?? new Map<string, Mount["type"]>();
  if (paths.get(path) !== "closed") paths.set(path, mount.type);
  wanted.set(key, { mount: stricter, count: nlink, paths });
}

async function search(
  roots: readonly string[],
  wanted: ReadonlyMap<string, Wanted>,
  missing: number,
): Promise<OtherNames> {
  const names: { readonly path: string; readonly of: Mount }[] = [];
  const isWhole = await walk(roots, (path, { dev, ino, nlink }) => {
    const found = nlink < 2 ? undefined : wanted.get(`${dev}:${ino}`);
    const own = found?.paths.get(path);
    if (found !== undefined && own !== "closed" && own !== found.mount.type) {
      names.push({ path, of: found.mount });
    }
    return names.length < missing;
  });
  return { names, isPartial: !isWhole };
}

/**
 * Shows every regular file below the folders, until somebody has seen enough. Links are not followed.
 * @returns false when there were too many folders
 */
async function walk(folders: readonly string[], see: (path: string, stats: Stats) => boolean): Promise<boolean> {
  const waiting = [...folders];
  for (let looked = 1; waiting.length > 0; looked += 1) {
    if (looked > maxLinkedFolders) return false;
    if (looked % surveySliceDirectories === 0) await setImmediate();
    const folder = waiting.pop() ?? "";
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      const stats = entry.isFile() ? entryOf(path) : undefined;
      if (stats !== undefined && !see(path, stats)) return true;
    }
  }
  return true;
}

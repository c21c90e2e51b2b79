import { opendirSync, unlinkSync } from "node:fs";
import { errorCode } from "../files/error-code.ts";
import type { PinnedFolder } from "../files/pinned-folder.ts";
import { readVersion } from "../files/read-version.ts";
import { maxSweptEntries } from "../limits.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { makerOf } from "./temporary-name.ts";

/**
 * Removes what a process that was killed in the middle of an `apply` left in a folder. What a living process works with
 * stays, and so does content that is nowhere else: neither in the store nor under another name.
 */
export async function sweepLeftovers(folder: PinnedFolder, store: ObjectStore): Promise<void> {
  try {
    for (const name of namesIn(folder)) {
      const pid = makerOf(name);
      if (pid === undefined || isAlive(pid)) continue;
      if (name.endsWith(".new") || (await isElsewhere(folder, name, store))) unlinkSync(folder.address(name));
    }
  } catch {
    // Somebody else tidies at the same time, or the folder cannot be listed: a leftover is only untidy.
  }
}

function namesIn(folder: PinnedFolder): readonly string[] {
  const names: string[] = [];
  const listing = opendirSync(folder.address("."));
  try {
    for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) {
      if (names.length === maxSweptEntries) break;
      names.push(entry.name);
    }
  } finally {
    listing.closeSync();
  }
  return names;
}

async function isElsewhere(folder: PinnedFolder, name: string, store: ObjectStore): Promise<boolean> {
  const found = await readVersion(folder, name);
  if (found.type !== "kept") return false;
  return found.stats.nlink > 1n || store.has(found.version.blob);
}

function isAlive(pid: number): boolean {
  // Names are anybody's: 0 and what wraps around to a negative number stand for groups of processes.
  if (pid < 1 || pid > 0x7fff_ffff) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}

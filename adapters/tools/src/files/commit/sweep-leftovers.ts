import { errorCode } from "../../paths/error-code.ts";
import type { PinnedDirectory } from "../../paths/pinned-directory.ts";
import { maxSweptEntries } from "../limits.ts";
import { hashFile } from "./hash-file.ts";
import { readTemporaryName } from "./temporary-name.ts";

/**
 * Removes what a process that was killed in the middle of a commit left in a directory. Kept is whatever may be the only copy
 * of somebody's file, and what a living process still works with. Never fails: a leftover is only untidy.
 * @param replaced  SHA-256 of contents that were proved to be replaced as intended: their old copies are wanted no more
 */
export async function sweepLeftovers(
  directory: PinnedDirectory,
  replaced: ReadonlySet<string> = new Set(),
): Promise<void> {
  try {
    for (const name of await directory.names(maxSweptEntries)) {
      const made = readTemporaryName(name);
      if (made === undefined || isAlive(made.pid)) continue;
      const stats = directory.inspect(name);
      if (stats?.isFile() !== true) continue;
      if (made.kind === "new" || stats.nlink > 1n || (await isReplaced(directory, name, replaced)))
        await directory.unlink(name);
    }
  } catch {
    // Somebody else tidies at the same time, or the directory cannot be listed.
  }
}

async function isReplaced(directory: PinnedDirectory, name: string, replaced: ReadonlySet<string>): Promise<boolean> {
  if (replaced.size === 0) return false;
  const file = directory.openFile(name);
  try {
    return replaced.has(await hashFile(file));
  } finally {
    file.close();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}

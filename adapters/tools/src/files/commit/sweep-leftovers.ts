import { errorCode } from "../../paths/error-code.ts";
import type { PinnedDirectory } from "../../paths/pinned-directory.ts";
import { maxSweptEntries } from "../limits.ts";
import { readTemporaryName } from "./temporary-name.ts";

/**
 * Removes what a process that was killed in the middle of a commit left in a directory. Kept is whatever may be the only copy
 * of somebody's file, and what a living process still works with. Never fails: a leftover is only untidy.
 */
export async function sweepLeftovers(directory: PinnedDirectory): Promise<void> {
  try {
    for (const name of await directory.names(maxSweptEntries)) {
      const made = readTemporaryName(name);
      if (made === undefined || isAlive(made.pid)) continue;
      const stats = directory.inspect(name);
      if (stats?.isFile() === true && (made.kind === "new" || stats.nlink > 1n)) await directory.unlink(name);
    }
  } catch {
    // Somebody else tidies at the same time, or the directory cannot be listed.
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

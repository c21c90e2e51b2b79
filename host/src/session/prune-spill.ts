import { lstat, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";

/** How long long command output can be read again. */
const keptMs = 7 * 24 * 3_600_000;
/** Files looked at in one start, so that a full folder costs no more than a moment. */
const maxFilesLookedAt = 500;

/** Removes command output of sessions long past. Never fails: what cannot be removed is left. */
export async function pruneSpill(directory: string, nowMs: number): Promise<void> {
  try {
    const names = (await readdir(directory)).slice(0, maxFilesLookedAt);
    await Promise.allSettled(names.map((name) => removeOld(join(directory, name), nowMs)));
  } catch {
    // Housekeeping is nobody's task to wait for or to worry about.
  }
}

async function removeOld(path: string, nowMs: number): Promise<void> {
  const { mtimeMs } = await lstat(path);
  if (nowMs - mtimeMs > keptMs) await unlink(path);
}

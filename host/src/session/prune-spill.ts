import { lstat, readdir, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";

/** How long long command output can be read again. */
const keptMs = 7 * 24 * 3_600_000;
/** Files looked at in one start, so that a full folder costs no more than a moment. */
const maxFilesLookedAt = 500;

/** Removes command output of sessions long past, and folders of sessions that hold none. Never fails: what cannot be removed is left. */
export async function pruneSpill(directory: string, nowMs: number): Promise<void> {
  const folders = [directory];
  for (let looked = 0; looked < maxFilesLookedAt && folders.length > 0;) {
    const folder = folders.shift() ?? directory;
    const names = (await namesIn(folder)).slice(0, maxFilesLookedAt - looked);
    looked += Math.max(1, names.length);
    const found = await Promise.all(names.map(async (name) => removeOld(join(folder, name), nowMs)));
    // One level: a folder for each session.
    if (folder === directory) folders.push(...found.flatMap((path) => (path === undefined ? [] : [path])));
    // Only an empty one goes.
    else await rmdir(folder).catch(() => undefined);
  }
}

/** Housekeeping is nobody's task to wait for or to worry about. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch(() => []);
}

/** @returns the path of an old folder */
async function removeOld(path: string, nowMs: number): Promise<string | undefined> {
  const entry = await lstat(path).catch(() => undefined);
  if (entry === undefined || nowMs - entry.mtimeMs <= keptMs) return undefined;
  if (entry.isDirectory()) return path;
  await unlink(path).catch(() => undefined);
  return undefined;
}

import { type Dirent, lstatSync, readdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { entryAt } from "../layout/real-path.ts";
import { cacheRestMs, maxCacheBytes, maxMeasuredFiles, surveySliceDirectories } from "../limits.ts";
import { fullMark, removeTree } from "./remove-tree.ts";

export interface TidyOptions {
  /** The caches that commands of this process use. */
  readonly inUse: string;
  readonly limitBytes?: number;
  readonly restMs?: number;
}

/**
 * Drops the caches that were not used for longest until the rest is small enough; those in use, when they alone are too large, before the
 * next session's first command. Does nothing when it was done within the hour.
 */
export async function tidyCaches(
  directory: string,
  { inUse, limitBytes = maxCacheBytes, restMs = cacheRestMs }: TidyOptions,
): Promise<void> {
  const stamp = join(directory, "measured");
  const now = Date.now();
  if (now - (entryAt(stamp)?.mtimeMs ?? 0) < restMs) return;
  writeFileSync(stamp, "", { mode: 0o600 });
  utimesSync(stamp, new Date(now), new Date(now));
  const kept: { readonly name: string; readonly usedMs: number; readonly bytes: number }[] = [];
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (name.startsWith(droppedPrefix)) removeTree(path);
    if (/^[0-9a-f]{32}$/.test(name)) kept.push({ name, usedMs: lstatSync(path).mtimeMs, bytes: await bytesIn(path) });
  }
  let bytes = kept.reduce((sum, each) => sum + each.bytes, 0);
  for (const each of kept.toSorted((a, b) => a.usedMs - b.usedMs)) {
    if (bytes <= limitBytes) return;
    if (each.name === inUse || now - each.usedMs < restMs) continue;
    bytes -= each.bytes;
    const dropped = join(directory, `${droppedPrefix}${each.name}`);
    renameSync(join(directory, each.name), dropped);
    removeTree(dropped);
  }
  if (bytes > limitBytes && kept.some(({ name }) => name === inUse))
    writeFileSync(join(directory, inUse, fullMark), "", { mode: 0o600 });
}

const droppedPrefix = "dropped-";

/** What a tree takes on the disk; links are not followed. */
async function bytesIn(root: string): Promise<number> {
  let bytes = 0;
  let files = 0;
  const waiting = [root];
  for (let folders = 1, path = waiting.pop(); path !== undefined; folders += 1, path = waiting.pop()) {
    // Nothing waits for it: the process may end before.
    if (folders % surveySliceDirectories === 0) await setImmediate(undefined, { ref: false });
    for (const entry of entriesOf(path)) {
      const at = join(path, entry.name);
      if (entry.isDirectory()) waiting.push(at);
      else bytes += (lstatSync(at, { throwIfNoEntry: false })?.blocks ?? 0) * 512;
      files += 1;
      if (files >= maxMeasuredFiles) return Infinity;
    }
  }
  return bytes;
}

function entriesOf(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

import { createHash } from "node:crypto";
import { type BigIntStats, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Everything a tree is, `.git` and metadata included, by path below its root: two prints are equal as long as nobody touched it. */
export type TreePrint = ReadonlyMap<string, string>;

/** More than a prepared workspace has; what a command makes beyond it is a change in any case. */
const maxEntries = 20_000;

export function printTree(root: string): TreePrint {
  const print = new Map<string, string>();
  const waiting = [""];
  for (let path = waiting.pop(); path !== undefined && print.size < maxEntries; path = waiting.pop()) {
    const full = join(root, path);
    const stats = lstatSync(full, { bigint: true, throwIfNoEntry: false });
    print.set(path, stats === undefined ? "gone" : entryPrint(full, stats));
    if (stats?.isDirectory() === true) waiting.push(...readdirSync(full).map((name) => join(path, name)));
  }
  return print;
}

/** Paths that are not what they were, at most `limit`. */
export function changedPaths(before: TreePrint, after: TreePrint, limit = 5): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).slice(0, limit);
}

/** The time of the last change of anything (ctime) reveals a write that put everything else back as it was. */
function entryPrint(full: string, stats: BigIntStats): string {
  const { mode, uid, gid, nlink, ino, size, mtimeNs, ctimeNs } = stats;
  const content = stats.isFile()
    ? createHash("sha256").update(readFileSync(full)).digest("hex")
    : stats.isSymbolicLink()
      ? readlinkSync(full)
      : "";
  return [mode.toString(8), uid, gid, nlink, ino, stats.isDirectory() ? "" : size, mtimeNs, ctimeNs, content].join(" ");
}

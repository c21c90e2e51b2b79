import type { Stats } from "node:fs";

/** Why somebody else could have written an open file; `undefined` when only its reader or root could. */
export function distrust(stats: Stats): string | undefined {
  const user = process.getuid?.();
  // No owners and modes to look at (Windows).
  if (user === undefined) return undefined;
  // Root could replace anything of ours, so its files add no danger.
  if (stats.uid !== user && stats.uid !== 0) return `it is owned by another user (uid ${stats.uid})`;
  if ((stats.mode & 0o022) !== 0) {
    return `others may write to it (mode ${(stats.mode & 0o7777).toString(8).padStart(4, "0")}); use \`chmod go-w\``;
  }
  return undefined;
}

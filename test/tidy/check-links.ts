import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";

/**
 * Links that lead nowhere, out of the project, or by a path of one machine: everybody else's clone has something else there.
 * @param paths  below the root, as `git ls-files` shows them
 */
export function checkLinks(root: string, paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    const link = join(root, path);
    if (!lstatSync(link).isSymbolicLink()) return [];
    const target = readlinkSync(link);
    if (isAbsolute(target))
      return [`${path}: is a link to ${target}, a place of one machine; link relatively, or copy`];
    const away = wayTo(link, root);
    if (away === undefined) return [`${path}: is a link to ${target}, where nothing is`];
    return away === ".." || away.startsWith("../") ? [`${path}: is a link to ${target}, outside of the project`] : [];
  });
}

/** The path of what a link leads to, from the root; `undefined`: nothing. */
function wayTo(link: string, root: string): string | undefined {
  try {
    return relative(realpathSync(root), realpathSync(link));
  } catch {
    return undefined;
  }
}

import { basename, relative } from "node:path";
import picomatch from "picomatch";

/**
 * Whether a path inside a root is protected: globs are compared with the path relative to the root and with the absolute one,
 * letters' case ignored. The inside of `.git` has its own protection.
 * @param patterns  globs (picomatch, dot files included); one without a slash counts at any depth
 */
export function deniedBy(patterns: readonly string[], root: string): (path: string) => boolean {
  const globs = patterns
    .filter((pattern) => !pattern.split("/").includes(".git"))
    .map((pattern) => (pattern.includes("/") ? pattern.replace(/\/$/, "") : `**/${pattern}`));
  const byName = globs.filter((glob) => anyDepth.test(glob)).map((glob) => compile(glob.replace(anyDepth, "$1")));
  const byPath = globs.filter((glob) => !anyDepth.test(glob)).map(compile);
  // Trees hold the same names again and again.
  const names = new Map<string, boolean>();
  return (path) => {
    const name = basename(path);
    let isNamed = names.get(name);
    if (isNamed === undefined) {
      isNamed = byName.some((expression) => expression.test(name));
      names.set(name, isNamed);
    }
    return isNamed || byPath.some((expression) => expression.test(path) || expression.test(relative(root, path)));
  };
}

/** `**` and one name, with or without all that is beneath it. */
const anyDepth = /^\*\*\/([^/]+)(?:\/\*\*)?$/;

function compile(glob: string): RegExp {
  // "s": a name may hold a line break.
  return new RegExp(picomatch.makeRe(glob, { dot: true, nonegate: true, nocase: true }).source, "is");
}

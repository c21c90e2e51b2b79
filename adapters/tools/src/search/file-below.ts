import { join, posix } from "node:path";
import type { ResolvedPath } from "../paths/workspace-paths.ts";

/** A file found below a resolved directory. It is opened step by step from the root, so that no link is followed. */
export function fileBelow(start: ResolvedPath, path: string): ResolvedPath {
  if (path === "") return start;
  const real = join(start.real, path);
  // Where a link led, the way begins above the start.
  const relative = posix.normalize(start.relative === "" ? path : `${start.relative}/${path}`);
  return { root: start.root, relative, real, shown: path, kind: "file", access: "read" };
}

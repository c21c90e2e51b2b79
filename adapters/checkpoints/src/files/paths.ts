import { isAbsolute, relative, resolve, sep } from "node:path";
import { bytesOf, pathText } from "@capstan/byte-paths";
import { isWithin } from "@capstan/patterns";
import type { Workspace } from "@capstan/protocol";
import { isRepositoryEntry } from "../walk/never-kept.ts";

/**
 * Why a file is not ours to keep or to write, in words; `undefined`: it is.
 * @param excluded  absolute folders that are nobody's business
 */
export function pathProblem(workspace: Workspace, excluded: readonly string[], path: string): string | undefined {
  if (!isAbsolute(path) || resolve(path) !== path || path.includes("\0") || pathText(bytesOf(path)) !== path) {
    return "is not a plain absolute path";
  }
  if (!workspace.roots.some((root) => root !== path && isWithin(root, path))) return "lies outside of the workspace";
  if (path.split(sep).some(isRepositoryEntry)) return "belongs to a Git repository";
  return excluded.some((folder) => isWithin(folder, path)) ? "belongs to Capstan" : undefined;
}

/** How people see a path: relative to the working directory where it lies inside, else absolute. */
export function shownIn(workspace: Workspace, path: string): string {
  return isWithin(workspace.cwd, path) ? relative(workspace.cwd, path).replaceAll(sep, "/") : path;
}

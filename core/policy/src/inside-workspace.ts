import { isWithin, namesOfPath as namesWithin } from "@capstan/patterns";
import type { Workspace } from "@capstan/protocol";

/**
 * Whether a path as written lies in the workspace, by its letters alone (links are followed by the tools and the sandbox).
 * Relative paths are taken from a directory inside the workspace, so only `..` could lead out.
 */
export function isInsideWorkspace(path: string, workspace: Workspace): boolean {
  if (path.includes("\0") || path.split("/").includes("..")) return false;
  if (!path.startsWith("/")) return true;
  const absolute = resolvePath("/", path);
  if (kernelFolders.some((folder) => isWithin(folder, absolute))) return false;
  return workspace.roots.some((root) => isWithin(resolvePath("/", root), absolute));
}

/**
 * The names under which rules may speak of a path: absolute, and relative to the working directory and to each root.
 * @param folder  absolute directory that a relative path is taken from
 */
export function namesOfPath(path: string, folder: string, workspace: Workspace): readonly string[] {
  const absolute = resolvePath(folder, path);
  const bases = [workspace.cwd, ...workspace.roots].map((base) => resolvePath("/", base));
  return namesWithin(absolute, bases);
}

// What lies there are devices and other processes, even for a workspace that is the whole disk.
const kernelFolders: readonly string[] = ["/dev", "/proc", "/sys"];

function resolvePath(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${folder}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

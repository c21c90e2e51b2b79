import { dirname, isAbsolute, join, resolve } from "node:path";
import { isWithin } from "@capstan/patterns";
import { entriesOf } from "@capstan/byte-paths";
import { realPathOf } from "../layout/real-path.ts";
import { maxPointerBytes } from "../limits.ts";
import { readGitSettings, readSmallFile } from "./git-configuration.ts";
import type { Guard } from "./guard.ts";
import { entryOf, shutness } from "./shut-folder.ts";

/**
 * Keeps what git runs and obeys out of reach: of each repository the folder cannot be moved away, hooks and settings cannot be
 * changed, nor can where it looks for them. Commits work.
 */
export function guardRepository(workTree: string, roots: readonly string[], guard: Guard): void {
  const entry = join(workTree, ".git");
  const found = entryOf(entry);
  if (found === undefined) return;
  if (found.isSymbolicLink()) guard.link(entry);
  if (found.isDirectory()) {
    guardGitFolder(entry, workTree, guard);
    return;
  }
  if (found.isFile()) guard.readOnly(entry);
  const gitFolder = found.isSymbolicLink() ? realPathOf(entry) : pointedTo(entry);
  if (gitFolder === undefined) return;
  if (entryOf(gitFolder)?.isFile() === true) {
    // A link to a `.git` file of somewhere else: what that one may change is not for this tree to say.
    return;
  }
  if (roots.some((root) => isWithin(root, gitFolder))) guardGitFolder(gitFolder, workTree, guard);
  else openOutside(gitFolder, workTree, guard);
}

/** A repository without a working tree, in which git works when it is started there. */
export function guardBareRepository(folder: string, guard: Guard): void {
  guardGitFolder(folder, folder, guard);
}

/** Where a repository's own things lie, and those that all its working trees share. */
export interface GitFolders {
  readonly own: string;
  readonly shared: string;
}

/**
 * Of a working tree whose `.git` is a file, where the repository says itself that this working tree is its own.
 * @param gitFolder  where the file leads
 */
export function foldersOfLinked(gitFolder: string, workTree: string): GitFolders | undefined {
  const backPointer = readSmallFile(join(gitFolder, "gitdir"), maxPointerBytes)?.trim();
  if (backPointer !== undefined) {
    const shared = commonFolder(gitFolder);
    const isOurs = realPathOf(dirname(resolve(gitFolder, backPointer))) === workTree;
    if (!isOurs || shared === undefined || realPathOf(join(shared, "worktrees")) !== dirname(gitFolder))
      return undefined;
    return { own: gitFolder, shared };
  }
  const reported = readGitSettings(join(gitFolder, "config")).findLast(({ name }) => name === "core.worktree")?.value;
  const isOurs = reported !== undefined && realPathOf(resolve(gitFolder, reported)) === workTree;
  return isOurs ? { own: gitFolder, shared: gitFolder } : undefined;
}

/** A repository's folder that lies elsewhere can be written to when this working tree is its own. */
function openOutside(gitFolder: string, workTree: string, guard: Guard): void {
  const folders = foldersOfLinked(gitFolder, workTree);
  if (folders === undefined) return;
  if (folders.shared !== gitFolder) openSharedFolder(folders.shared, guard);
  guardGitFolder(gitFolder, workTree, guard);
}

/** What all working trees of a repository share: objects and references can be written, the rest only read. */
function openSharedFolder(shared: string, guard: Guard): void {
  guard.readOnly(shared);
  if (shutness(shared) !== "open") return;
  for (const name of ["objects", "refs", "logs"]) {
    const path = join(shared, name);
    if (entryOf(path)?.isDirectory() === true) guard.pin(path);
  }
}

function guardGitFolder(folder: string, workTree: string, guard: Guard): void {
  if (staysShut(folder, guard)) return;
  guard.pin(folder);
  const isLinked = entryOf(join(folder, "commondir")) !== undefined;
  if (!isLinked) guard.readOnlyOrAbsent(join(folder, "hooks"));
  for (const name of ["config", "config.worktree", "commondir", "gitdir"]) guard.readOnlyOrAbsent(join(folder, name));
  for (const path of pathsInSettings(join(folder, "config"), workTree, folder)) guard.readOnlyOrAbsent(path);
  guardInner(join(folder, "worktrees"), workTree, guard);
  guardModules(join(folder, "modules"), workTree, guard);
}

/** What cannot be looked into is not opened by a command either: nobody would have seen its hooks and settings. */
function staysShut(folder: string, guard: Guard): boolean {
  if (shutness(folder) === "open") return false;
  guard.readOnly(folder);
  return true;
}

function guardInner(folder: string, workTree: string, guard: Guard): void {
  if (entryOf(folder)?.isDirectory() !== true || staysShut(folder, guard)) return;
  guard.pin(folder);
  for (const path of foldersIn(folder)) guardGitFolder(path, workTree, guard);
}

/** Submodules' names may hold slashes: what is no repository is a folder of some. */
function guardModules(folder: string, workTree: string, guard: Guard): void {
  if (entryOf(folder)?.isDirectory() !== true || staysShut(folder, guard)) return;
  guard.pin(folder);
  for (const path of foldersIn(folder)) {
    if (entryOf(join(path, "HEAD")) === undefined) guardModules(path, workTree, guard);
    else guardGitFolder(path, workTree, guard);
  }
}

/** Hooks and further settings that the configuration takes from the working tree. */
function pathsInSettings(path: string, workTree: string, folder: string): readonly string[] {
  return readGitSettings(path).flatMap(({ name, value }) => {
    if (value === "" || value.startsWith("~") || value.startsWith("%")) return [];
    if (name === "core.hookspath") return [isAbsolute(value) ? value : resolve(workTree, value)];
    return name === "include.path" || /^includeif\..*\.path$/.test(name) ? [resolve(folder, value)] : [];
  });
}

/** Where a `.git` file leads. */
export function pointedTo(file: string): string | undefined {
  const [, path] = /^gitdir: ?(.+?)\s*$/s.exec(readSmallFile(file, maxPointerBytes) ?? "") ?? [];
  return path === undefined ? undefined : realPathOf(resolve(dirname(file), path));
}

export function commonFolder(gitFolder: string): string | undefined {
  const path = readSmallFile(join(gitFolder, "commondir"), maxPointerBytes)?.trim();
  return path === undefined || path === "" ? undefined : realPathOf(resolve(gitFolder, path));
}

export function foldersIn(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));
}

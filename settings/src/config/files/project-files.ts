import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { maxProjectLevels } from "../config-limits.ts";

/** The directories of the project around a directory. */
export interface ProjectLevels {
  /** The repository's root, or the directory itself where there is no repository. A real path. */
  readonly root: string;
  /** From the directory up to the root; real paths. */
  readonly levels: readonly string[];
}

/** Configuration files of the project around a directory. */
export interface ProjectFiles {
  readonly root: string;
  /** Outermost first; each narrows what those before it left. */
  readonly files: readonly string[];
}

/**
 * Looks for `.capstan/config.toml` from a directory up to the root of its repository, and not beyond: what lies above
 * belongs to somebody else.
 * @param home  the data directory, whose own `config.toml` is the user's and never a project's
 */
export function findProjectFiles(cwd: string, home: string): ProjectFiles {
  const { root, levels } = projectLevels(cwd);
  const found = levels.map((level) => join(level, ".capstan", "config.toml")).filter(exists);
  return { root, files: found.filter((file) => !isHome(dirname(file), home)).toReversed() };
}

/**
 * The directories from this one up to the root of its repository. What says that there is a repository is only that `.git`
 * is there: neither is it opened, nor does what it may say count.
 */
export function projectLevels(cwd: string): ProjectLevels {
  const start = realPath(cwd);
  const above = levelsOf(start);
  const rootIndex = above.findIndex((level) => exists(join(level, ".git")));
  const levels = above.slice(0, Math.max(rootIndex, 0) + 1);
  return { root: levels.at(-1) ?? start, levels };
}

/** Whether a project's `.capstan` is the user's data directory. */
export function isHome(folder: string, home: string): boolean {
  return realPath(folder) === realPath(home);
}

function levelsOf(start: string): readonly string[] {
  const levels = [start];
  for (let level = start; levels.length < maxProjectLevels && dirname(level) !== level;) {
    level = dirname(level);
    levels.push(level);
  }
  return levels;
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A component that is no directory, or that we may not enter: nothing of ours is there.
    return false;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

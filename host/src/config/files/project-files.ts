import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { maxProjectLevels } from "../config-limits.ts";

/** Configuration files of the project around a directory. */
export interface ProjectFiles {
  /** The repository's root, or the directory itself where there is no repository. A real path. */
  readonly root: string;
  /** Outermost first; each narrows what those before it left. */
  readonly files: readonly string[];
}

/**
 * Looks for `.capstan/config.toml` from a directory up to the root of its repository, and not beyond: what lies above
 * belongs to somebody else.
 * @param home  the data directory, whose own `config.toml` is the person's and never a project's
 */
export function findProjectFiles(cwd: string, home: string): ProjectFiles {
  const start = realPath(cwd);
  const levels = levelsOf(start);
  const rootIndex = levels.findIndex((level) => exists(join(level, ".git")));
  const inside = levels.slice(0, Math.max(rootIndex, 0) + 1);
  const found = inside.map((level) => join(level, ".capstan", "config.toml")).filter(exists);
  const files = found.length === 0 ? [] : found.filter((file) => realPath(dirname(file)) !== realPath(home));
  return { root: inside.at(-1) ?? start, files: files.toReversed() };
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

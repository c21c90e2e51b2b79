import { join } from "node:path";
import { realPathOf } from "../layout/real-path.ts";
import { maxGitFolderDepth, maxGitFolders } from "../limits.ts";
import { commonFolder, foldersIn, pointedTo } from "../protect/repositories.ts";
import { entryOf } from "../protect/shut-folder.ts";
import type { Survey } from "../protect/survey.ts";

/**
 * Every folder that git would take settings or hooks from: of working trees, also where a `.git` file names another folder;
 * repositories without one; what they share with others; and those that lie in a `.git`, as submodules' do.
 */
export function gitFoldersOf({ repositories, bare }: Pick<Survey, "repositories" | "bare">): readonly string[] {
  const found = new Set<string>();
  const waiting = [...repositories.flatMap(gitFolderOf), ...bare];
  for (let folder = waiting.pop(); folder !== undefined && found.size < maxGitFolders; folder = waiting.pop()) {
    if (found.has(folder)) continue;
    found.add(folder);
    const shared = commonFolder(folder);
    if (shared !== undefined) waiting.push(shared);
    waiting.push(...innerFolders(folder, 0));
  }
  return [...found];
}

function gitFolderOf(workTree: string): readonly string[] {
  const entry = join(workTree, ".git");
  const folder = entryOf(entry)?.isFile() === true ? pointedTo(entry) : realPathOf(entry);
  if (folder === undefined) return [];
  // A link to a `.git` file.
  const end = entryOf(folder)?.isFile() === true ? pointedTo(folder) : folder;
  return end === undefined ? [] : [end];
}

/** What git keeps its data in: many folders, and no repository. */
const dataFolders: ReadonlySet<string> = new Set("objects refs logs hooks info lfs annex rr-cache branches".split(" "));

function innerFolders(folder: string, depth: number): readonly string[] {
  if (depth > maxGitFolderDepth) return [];
  return foldersIn(folder).flatMap((path) => {
    if (depth === 0 && dataFolders.has(path.slice(folder.length + 1))) return [];
    return entryOf(join(path, "HEAD")) === undefined ? innerFolders(path, depth + 1) : [path];
  });
}

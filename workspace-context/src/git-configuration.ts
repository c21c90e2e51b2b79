import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What a repository's configuration file may hold; a larger one is left to git to read. */
const maxConfigCharacters = 64 * 1024;
/** Directories above the working directory that are looked at. */
const maxLevels = 64;

/**
 * Whether a look at the repository's configuration shows that it configures no filter, and takes none in from elsewhere.
 * Only a plain repository is judged: for a worktree, a submodule or a bare repository git itself has to be asked.
 */
export function surelyWithoutFilters(cwd: string): boolean {
  let folder = cwd;
  for (let level = 0; level < maxLevels; level += 1) {
    // A folder with a HEAD may itself be what git takes for the repository.
    if (existsSync(join(folder, "HEAD"))) return false;
    if (existsSync(join(folder, ".git"))) return isPlain(join(folder, ".git"));
    const parent = dirname(folder);
    if (parent === folder) return false;
    folder = parent;
  }
  return false;
}

function isPlain(repository: string): boolean {
  if (existsSync(join(repository, "commondir"))) return false;
  try {
    const config = readFileSync(join(repository, "config"), "utf8");
    return config.length <= maxConfigCharacters && !/filter|include|worktreeconfig/i.test(config);
  } catch {
    return false;
  }
}

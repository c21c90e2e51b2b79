/**
 * What no snapshot of everything holds, whatever .gitignore says, besides repositories' own folders and the `.git` files of
 * worktrees and submodules (what lies beside those is kept):
 * - folders that programs fill and fill again: by name (`node_modules`, `__pycache__`, …), by the mark that caches carry
 *   (`CACHEDIR.TAG`, as `target` of Cargo), virtual environments of Python (`pyvenv.cfg`), and `target` beside its build file;
 * - files that stand in for others while Capstan writes.
 */
export function isNeverKept(name: string, isFolder: boolean, siblings: ReadonlySet<string>): boolean {
  if (/^\.capstan-.+\.(new|old)$/.test(name)) return true;
  if (!isFolder) return false;
  return cacheNames.has(name) || (name === "target" && buildFiles.some((file) => siblings.has(file)));
}

/** Whether a folder says of itself that it is a cache, by what lies in it. */
export function isMarkedCache(entries: readonly { readonly name: string }[]): boolean {
  return entries.some(({ name }) => name === "CACHEDIR.TAG" || name === "pyvenv.cfg");
}

/** A repository's own folder, or the file that names it. */
export function isRepositoryEntry(name: string): boolean {
  return name === ".git" || (process.platform !== "linux" && name.toLowerCase() === ".git");
}

const cacheNames: ReadonlySet<string> = new Set([
  ".hg",
  ".svn",
  ".jj",
  "node_modules",
  "bower_components",
  ".pnpm-store",
  ".npm",
  ".next",
  ".nuxt",
  ".svelte-kit",
  ".turbo",
  ".parcel-cache",
  ".angular",
  ".cache",
  "__pycache__",
  ".venv",
  ".tox",
  ".nox",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".hypothesis",
  ".gradle",
  ".terraform",
  ".direnv",
]);

const buildFiles = ["Cargo.toml", "pom.xml", "build.sbt"];

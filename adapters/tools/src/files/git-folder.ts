import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ResolvedPath } from "../paths/workspace-paths.ts";

/** Names in a repository's folder that git takes settings and programs from. */
const obeyedNames: ReadonlySet<string> = new Set(["config", "config.worktree", "commondir", "gitdir"]);

/** Whether git would obey such a file: the folder around it is a repository's, whatever it is called. */
export function isObeyedByGit({ real }: Pick<ResolvedPath, "real">): boolean {
  const folder = dirname(real);
  if (!obeyedNames.has(real.slice(folder.length + 1))) return false;
  const has = (name: string): boolean => existsSync(join(folder, name));
  return has("HEAD") && (has("commondir") || (has("objects") && has("refs")));
}

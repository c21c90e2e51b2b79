import { realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isWithin } from "@capstan/patterns";
import { ToolRefusal, type Workspace } from "@capstan/protocol";
import type { ToolsOptions } from "../../options.ts";
import { hasOddCharacter, inertText } from "../../paths/inert-text.ts";
import type { WorkspacePaths } from "../../paths/workspace-paths.ts";

/** Where the system keeps what everyone runs or obeys. */
const systemFolders: readonly string[] =
  "/bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /nix /proc /run /sbin /sys /usr".split(" ");

/** What decides which folders may be opened. */
export interface FolderSituation {
  readonly workspace: Workspace;
  readonly paths: WorkspacePaths;
  readonly options: Pick<ToolsOptions, "home" | "ownFolders">;
}

/**
 * The real directories outside the workspace that a command asks to change, sorted, without those within another of them; what
 * lies in the workspace is open anyway.
 * @param requested  as a model writes them: relative to the working directory, absolute, or with `~/`
 * @throws {ToolRefusal} `path.not-found`, `path.not-a-file`, `path.invalid` (rejected); `path.denied` (denied)
 */
export function writableFolders(requested: readonly string[], situation: FolderSituation): readonly string[] {
  const real = requested.map((path) => realFolder(path, situation));
  const outside = [...new Set(real)].filter((path) => !situation.workspace.roots.some((root) => isWithin(root, path)));
  return outside.filter((path) => !outside.some((other) => other !== path && isWithin(other, path))).toSorted();
}

function realFolder(requested: string, situation: FolderSituation): string {
  const { home } = situation.options;
  const shown = JSON.stringify(inertText(requested, 200));
  if (requested === "" || requested.includes("\0"))
    throw refusal("path.invalid", "writable: a path is empty or holds NUL.");
  const expanded = requested === "~" || requested.startsWith("~/") ? join(home, requested.slice(1)) : requested;
  const real = realPath(resolve(situation.workspace.cwd, expanded));
  if (real === undefined)
    throw refusal("path.not-found", `writable: ${shown} is not there. Name a directory that exists.`);
  if (hasOddCharacter(real)) throw refusal("path.invalid", `writable: ${shown} has control characters in its name.`);
  const stats = statSync(real, { throwIfNoEntry: false });
  if (stats === undefined) throw refusal("path.not-found", `writable: ${shown} was removed just now.`);
  if (!stats.isDirectory()) throw refusal("path.not-a-file", `writable: ${shown} is a file. Name its directory.`);
  const why = closedBecause(real, situation);
  if (why === undefined) return real;
  throw new ToolRefusal("denied", "path.denied", `writable: ${shown} cannot be opened: ${why}.`);
}

function closedBecause(real: string, { workspace, paths, options }: FolderSituation): string | undefined {
  const home = realPath(options.home) ?? options.home;
  if (isWithin(real, home)) return "it is the home directory, or contains it";
  if (/^\/[^/]*$/.test(real) || systemFolders.some((folder) => isWithin(folder, real)))
    return "it belongs to the system";
  const own = options.ownFolders.map((folder) => realPath(folder) ?? folder);
  if (own.some((folder) => isWithin(folder, real) || isWithin(real, folder))) return "Capstan's own files lie there";
  return paths.isDenied(workspace, real) ? "it is protected" : undefined;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function refusal(code: "path.invalid" | "path.not-found" | "path.not-a-file", message: string): ToolRefusal {
  return new ToolRefusal("rejected", code, message);
}

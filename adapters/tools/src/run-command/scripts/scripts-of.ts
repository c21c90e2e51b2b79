import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { type NestedCommand, type ScriptContent, ToolRefusal, unreadScript, type Workspace } from "@capstan/protocol";
import { sha256 as digestOf } from "../../files/sha256.ts";
import { readHead } from "../../files/read-head.ts";
import { withPinnedFile } from "../../paths/pinned-file.ts";
import type { ResolvedPath, WorkspacePaths } from "../../paths/workspace-paths.ts";
import { maxCandidates, maxDirectories, maxParents, maxScriptBytes, maxScripts } from "./limits.ts";
import { scriptNames } from "./script-names.ts";

/** What scripts are looked for in. */
export interface ScriptSituation {
  /** Real directory the command starts in. */
  readonly cwd: string;
  readonly workspace: Workspace;
  readonly paths: WorkspacePaths;
  readonly signal: AbortSignal;
}

interface Candidate {
  /** Absolute, whether it exists or not. */
  readonly file: string;
  /** Whether a folder of that name is run by what is in it. */
  readonly mayBeFolder: boolean;
}

/**
 * The files that commands run, with their content, so that a grant holds for exactly them: `./build.sh`, `sh x.sh`,
 * `python x.py`, the `package.json` of `npm run`, the `Makefile` of `make`. What a script itself calls is not followed.
 * A script that cannot be read, is too large, or lies outside the workspace and the system's own folders is reported as
 * `unreadScript`.
 * @param commands  what the command starts, by `nestedCommands`
 * @param complete  whether those are all; otherwise something unread is run
 * @returns sorted by path; each file once
 */
export async function scriptsOf(
  commands: readonly NestedCommand[],
  complete: boolean,
  situation: ScriptSituation,
): Promise<readonly ScriptContent[]> {
  const candidates = candidatesOf(commands, situation);
  const found = new Map<string, string>();
  for (const candidate of candidates.slice(0, maxCandidates)) {
    const content = await contentOf(candidate, situation);
    if (content === undefined) continue;
    const isOneTooMany = found.size >= maxScripts && !found.has(content.path);
    found.set(isOneTooMany ? situation.cwd : content.path, isOneTooMany ? unreadScript : content.sha256);
  }
  if (!complete || candidates.length > maxCandidates) found.set(situation.cwd, unreadScript);
  return [...found]
    .map(([path, sha256]) => ({ path, sha256 }))
    .toSorted((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}

function candidatesOf(commands: readonly NestedCommand[], { cwd, workspace }: ScriptSituation): readonly Candidate[] {
  const candidates = new Map<string, boolean>();
  let directories: readonly string[] = [cwd];
  for (const { words } of commands) {
    const names = scriptNames(words).filter(({ path }) => path !== "");
    const places = directories.flatMap((directory) => names.map((name) => ({ directory, ...name })));
    for (const { directory, path, upwards } of places) {
      candidates.set(resolve(directory, path), !upwards);
      if (upwards) for (const above of namesAbove(directory, path, workspace)) candidates.set(above, false);
    }
    const [name, folder] = words;
    if ((name === "cd" || name === "pushd") && folder !== undefined) {
      // A `cd` may also fail, and what comes next run where it was.
      directories = [...new Set([...directories, ...directories.map((from) => resolve(from, folder))])].slice(
        -maxDirectories,
      );
    }
  }
  return [...candidates].map(([file, mayBeFolder]) => ({ file, mayBeFolder }));
}

/** The same name in each folder above, up to the roots of the workspace. */
function namesAbove(directory: string, path: string, { roots }: Workspace): readonly string[] {
  const names: string[] = [];
  let folder = resolve(directory, dirname(path));
  for (let level = 0; level < maxParents && !roots.includes(folder) && folder !== dirname(folder); level += 1) {
    folder = dirname(folder);
    names.push(join(folder, path.slice(path.lastIndexOf("/") + 1)));
  }
  return names;
}

async function contentOf(
  { file, mayBeFolder }: Candidate,
  { workspace, paths, signal }: ScriptSituation,
): Promise<ScriptContent | undefined> {
  let resolved: ResolvedPath | undefined;
  try {
    resolved = await paths.resolve(workspace, relative(workspace.cwd, file) || ".", "read");
    const isFolder = resolved.kind === "directory";
    if (isFolder && !mayBeFolder) return undefined;
    return { path: resolved.real, sha256: isFolder ? unreadScript : await hashOf(resolved, signal) };
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    if (error.code === "path.not-found") return undefined;
    // Programs of the system are the user's, not the workspace's.
    if (error.code === "path.outside" && isSystemFile(file)) return undefined;
    return { path: resolved?.real ?? file, sha256: unreadScript };
  }
}

async function hashOf(resolved: ResolvedPath, signal: AbortSignal): Promise<string> {
  const { staged } = resolved;
  if (staged !== undefined) return staged.length > maxScriptBytes ? unreadScript : digestOf(staged);
  const limits = { headBytes: 0, hashBytes: maxScriptBytes };
  const { hash } = await withPinnedFile(resolved, async (file) => await readHead(file, limits, signal));
  return hash ?? unreadScript;
}

const systemFolders: readonly string[] = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/nix"];

function isSystemFile(file: string): boolean {
  return isAbsolute(file) && systemFolders.some((folder) => file === folder || file.startsWith(`${folder}/`));
}

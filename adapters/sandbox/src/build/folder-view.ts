import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { bytesText, type IgnoreRules, judgeIgnored, maxIgnoreFileBytes, parseIgnoreRules } from "@capstan/patterns";
import { maxPointerBytes } from "../limits.ts";
import { readBounded } from "./read-bounded.ts";
import { TrackedPaths } from "./tracked-paths.ts";

/** A folder as git sees it: what is ignored in it, and what is tracked. */
export interface FolderView {
  readonly path: string;
  below(name: string): FolderView;
  /** Whether git ignores the entry and tracks nothing of it; without a repository, always. */
  isOwnedByBuilds(name: string, isFolder: boolean): boolean;
}

interface Repository {
  readonly workTree: string;
  readonly tracked: TrackedPaths;
}

interface State {
  readonly path: string;
  /** Outermost first: a file may be tracked by a repository around the nearest one. */
  readonly repositories: readonly Repository[];
  /** Names from the nearest repository's folder to this one, as bytes. */
  readonly folders: readonly string[];
  readonly rules: IgnoreRules | undefined;
  /** Of `info/exclude`: weaker than every .gitignore. */
  readonly excluded: IgnoreRules | undefined;
  /** A folder above is ignored, and all in it with it. */
  readonly isIgnored: boolean;
}

/** @param root  absolute, real; repositories above it count, too */
export function viewOf(root: string): FolderView {
  const chain = [root];
  for (let at = root; dirname(at) !== at;) {
    at = dirname(at);
    chain.push(at);
  }
  const top = chain.findLastIndex((folder) => existsSync(join(folder, ".git")));
  const start: State = {
    path: "",
    repositories: [],
    folders: [],
    rules: undefined,
    excluded: undefined,
    isIgnored: false,
  };
  const from = top === -1 ? [root] : chain.slice(0, top + 1).toReversed();
  return toView(from.reduce((above, folder) => enter(above, folder), start));
}

function toView(state: State): FolderView {
  return {
    path: state.path,
    below: (name) => toView(enter(state, join(state.path, name))),
    isOwnedByBuilds: (name, isFolder) => {
      const { path, repositories } = state;
      if (repositories.length === 0) return true;
      if (!isIgnoredIn(state, name, isFolder) && !(isFolder && ignoresItself(join(path, name)))) return false;
      return repositories.every(({ workTree, tracked }) => !tracked.holds(relative(workTree, join(path, name))));
    },
  };
}

function enter(above: State, path: string): State {
  const ownRepository = repositoryAt(path);
  const name = basename(path);
  const isIgnored = above.path !== "" && ownRepository === undefined && isIgnoredIn(above, name, true);
  const base: State =
    ownRepository === undefined
      ? {
          ...above,
          path,
          isIgnored,
          folders: above.repositories.length === 0 ? [] : [...above.folders, bytesText(name)],
        }
      : {
          path,
          repositories: [...above.repositories, ownRepository.repository],
          folders: [],
          rules: undefined,
          excluded: levelOf(join(ownRepository.commonFolder, "info", "exclude"), 0, undefined),
          isIgnored: false,
        };
  if (base.repositories.length === 0) return base;
  return { ...base, rules: levelOf(join(path, ".gitignore"), base.folders.length, base.rules) };
}

function isIgnoredIn(state: State, name: string, isFolder: boolean): boolean {
  if (state.isIgnored) return true;
  const entry = { folders: state.folders, name: bytesText(name), isFolder };
  return (judgeIgnored(state.rules, entry) ?? judgeIgnored(state.excluded, entry)) === "ignored";
}

/** As pytest and Python's virtual environments do it: a .gitignore inside that ignores everything. */
function ignoresItself(folder: string): boolean {
  const text = readBounded(join(folder, ".gitignore"), maxIgnoreFileBytes)?.toString("latin1") ?? "";
  const lines = text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  return lines.includes("*") && !lines.some((line) => line.startsWith("!"));
}

function levelOf(file: string, depth: number, above: IgnoreRules | undefined): IgnoreRules | undefined {
  const text = readBounded(file, maxIgnoreFileBytes)?.toString("latin1");
  const rules = text === undefined ? [] : parseIgnoreRules(text);
  return rules.length === 0 ? above : { depth, rules, above };
}

/** The repository whose work tree begins here. `.git` may be a file that names the folder (worktrees, submodules). */
function repositoryAt(
  workTree: string,
): { readonly repository: Repository; readonly commonFolder: string } | undefined {
  const entry = join(workTree, ".git");
  if (!existsSync(entry)) return undefined;
  const pointer = readBounded(entry, maxPointerBytes)?.toString("utf8");
  const named = /^gitdir: (.+?)\s*$/.exec(pointer ?? "")?.[1];
  const folder = named === undefined ? entry : named.startsWith("/") ? named : join(workTree, named);
  const common = readBounded(join(folder, "commondir"), maxPointerBytes)?.toString("utf8").trim();
  const commonFolder =
    common === undefined || common === "" ? folder : common.startsWith("/") ? common : join(folder, common);
  return { repository: { workTree, tracked: new TrackedPaths(join(folder, "index")) }, commonFolder };
}

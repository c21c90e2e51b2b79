import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { realPathOf } from "../layout/real-path.ts";
import { maxGitConfigBytes } from "../limits.ts";
import { readSmallFile, runsPrograms } from "../protect/git-configuration.ts";
import { type GitSetting, parseGitSettings } from "../protect/git-settings-text.ts";
import { identityAt } from "../protect/identity-at.ts";
import { pointedTo } from "../protect/repositories.ts";
import { entryOf } from "../protect/shut-folder.ts";
import type { Survey } from "../protect/survey.ts";
import { gitFoldersOf } from "./git-folders.ts";

/** What in repositories git runs, and which files these are. */
export interface RepositoryRuns {
  readonly prints: ReadonlyMap<string, string>;
  readonly identities: ReadonlySet<string>;
}

export function repositoriesNow(surveys: Iterable<Survey>): RepositoryRuns {
  const prints = listRepositoryRuns(surveys);
  return { prints, identities: new Set([...prints.keys()].map((path) => identityAt(path) ?? path)) };
}

/** What in repositories git runs, or takes the names of programs from: each with what would show a change. */
export function listRepositoryRuns(surveys: Iterable<Survey>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const survey of surveys) for (const folder of gitFoldersOf(survey)) listFolder(folder, found);
  return found;
}

function listFolder(folder: string, found: Map<string, string>): void {
  for (const name of ["config", "config.worktree"]) {
    const path = join(folder, name);
    const print = settingsPrint(path, folder);
    if (print !== undefined) found.set(path, print);
  }
  for (const name of namesIn(join(folder, "hooks"))) {
    if (name.endsWith(".sample")) continue;
    const path = join(folder, "hooks", name);
    const entry = entryOf(path);
    if (entry === undefined || entry.isDirectory()) continue;
    found.set(path, `${entry.ino}:${entry.size}:${entry.ctimeMs}`);
  }
  const plan = join(folder, "rebase-merge", "git-rebase-todo");
  const commands = (readSmallFile(plan, maxGitConfigBytes) ?? "").match(/^[ \t]*(?:x|exec)[ \t].*$/gm);
  if (commands !== null) found.set(plan, hashOf(commands));
}

/** @returns `undefined` when nothing in it runs a program */
function settingsPrint(path: string, folder: string): string | undefined {
  const entry = entryOf(path);
  if (entry === undefined) return undefined;
  const text = readSmallFile(path, maxGitConfigBytes);
  // Too large to read, or not readable: git may read it.
  if (text === undefined) return `unread ${entry.ino}:${entry.size}`;
  const running = parseGitSettings(text).filter((setting) => runsPrograms(setting) && !isOwnWorkTree(setting, folder));
  return running.length === 0 ? undefined : hashOf(running);
}

/** Git itself writes where a submodule's working tree lies; that one names the folder in turn. */
function isOwnWorkTree({ name, value }: GitSetting, folder: string): boolean {
  if (name !== "core.worktree") return false;
  const workTree = realPathOf(resolve(folder, value));
  return workTree !== undefined && pointedTo(join(workTree, ".git")) === folder;
}

function hashOf(value: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

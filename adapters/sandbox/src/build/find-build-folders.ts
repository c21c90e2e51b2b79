import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { maxBuildFolders, maxSurveyDepth, maxSurveyedDirectories, surveySliceDirectories } from "../limits.ts";
import type { FolderMemory } from "../protect/folder-memory.ts";
import { type FolderView, viewOf } from "./folder-view.ts";

/**
 * What of a workspace a command of mode `default` may change: folders and files that are there, whose name stands for what builds make,
 * that git ignores and of which it tracks nothing. Where there is no repository the name alone counts. Nearest first; links are
 * none, and are not followed. What could not be looked at is not among them.
 * @param root  absolute, real
 * @param names  `buildFolderNames`, and what the user's configuration adds
 * @param memory  of this root and these names
 */
export async function findBuildFolders(
  root: string,
  names: readonly string[],
  memory?: FolderMemory<BuildEntries>,
): Promise<readonly string[]> {
  const isBuildName = nameTest(names);
  const found: string[] = [];
  let level: FolderView[] = [viewOf(root)];
  let looked = 0;
  for (let depth = 0; level.length > 0 && depth <= maxSurveyDepth; depth += 1) {
    const next: FolderView[] = [];
    for (const view of level) {
      looked += 1;
      if (looked > maxSurveyedDirectories) return found;
      if (looked % surveySliceDirectories === 0) await setImmediate();
      const look = (): BuildEntries => buildEntriesOf(view.path, isBuildName);
      const { named, others } = memory?.of(view.path, look) ?? look();
      const owned = named.filter(({ name, isFolder }) => view.isOwnedByBuilds(name, isFolder));
      found.push(...owned.map(({ name }) => join(view.path, name)));
      if (found.length >= maxBuildFolders) return found.slice(0, maxBuildFolders);
      next.push(...others.map((name) => view.below(name)));
    }
    level = next;
  }
  return found;
}

/** What of a folder matters here. */
export interface BuildEntries {
  readonly named: readonly { readonly name: string; readonly isFolder: boolean }[];
  /** Names of the folders to look in. */
  readonly others: readonly string[];
}

function buildEntriesOf(folder: string, isBuildName: (name: string) => boolean): BuildEntries {
  const named: BuildEntries["named"][number][] = [];
  const others: string[] = [];
  for (const entry of entriesOf(folder)) {
    const isFolder = entry.isDirectory();
    if (isBuildName(entry.name)) named.push({ name: entry.name, isFolder });
    else if (isFolder) others.push(entry.name);
  }
  return { named, others };
}

/** Folders and files; a link is neither. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.name !== ".git" && (entry.isDirectory() || entry.isFile()));
  } catch {
    return [];
  }
}

/** Whether a name is one of these, in which a star stands for any part. */
function nameTest(names: readonly string[]): (name: string) => boolean {
  const exact = new Set(names.filter((name) => !name.includes("*")));
  const parts = names.filter((name) => name.includes("*")).map((name) => name.split("*"));
  return (name) => exact.has(name) || parts.some((pieces) => fits(name, pieces));
}

function fits(name: string, pieces: readonly string[]): boolean {
  const [first = "", ...rest] = pieces;
  const last = rest.pop() ?? "";
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const piece of rest) {
    const next = name.indexOf(piece, at);
    if (next === -1) return false;
    at = next + piece.length;
  }
  return at <= name.length - last.length;
}

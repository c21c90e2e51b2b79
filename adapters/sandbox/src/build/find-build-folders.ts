import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { maxBuildFolders, maxSurveyDepth, maxSurveyedDirectories, surveySliceDirectories } from "../limits.ts";
import { type FolderView, viewOf } from "./folder-view.ts";

/**
 * What of a workspace a command of mode `default` may change: folders and files that are there, whose name stands for what builds make,
 * that git ignores and of which it tracks nothing. Where there is no repository the name alone counts. Nearest first; links are
 * none, and are not followed. What could not be looked at is not among them.
 * @param root  absolute, real
 * @param names  `buildFolderNames`, and what the user's configuration adds
 */
export async function findBuildFolders(root: string, names: readonly string[]): Promise<readonly string[]> {
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
      const entries = entriesOf(view.path);
      found.push(...builtIn(view, entries, isBuildName));
      if (found.length >= maxBuildFolders) return found.slice(0, maxBuildFolders);
      const others = entries.filter((entry) => entry.isDirectory() && !isBuildName(entry.name));
      next.push(...others.map(({ name }) => view.below(name)));
    }
    level = next;
  }
  return found;
}

function builtIn(
  view: FolderView,
  entries: readonly Dirent[],
  isBuildName: (name: string) => boolean,
): readonly string[] {
  return entries
    .filter((entry) => isBuildName(entry.name) && view.isOwnedByBuilds(entry.name, entry.isDirectory()))
    .map(({ name }) => join(view.path, name));
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

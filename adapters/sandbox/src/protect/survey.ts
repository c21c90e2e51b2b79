import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isWithin } from "@capstan/patterns";
import { isGoverningName } from "@capstan/protocol";
import { maxSurveyDepth, maxSurveyedDirectories, surveySliceDirectories } from "../limits.ts";

/** What lies in a tree that a program may change, and needs care. */
export interface Survey {
  /** Folders with a `.git`. */
  readonly repositories: readonly string[];
  /** Folders that git takes for a repository without a working tree. */
  readonly bare: readonly string[];
  /** What governs agents, git or editors, but for `.git`. */
  readonly governing: readonly string[];
  /** Protected by a deny glob; what is beneath them is not listed. */
  readonly denied: readonly string[];
  /** What runs later: looked at before and after. */
  readonly scripts: readonly string[];
  /** Not everything was looked at. */
  readonly isPartial: boolean;
}

/** What is looked for. */
export interface SurveyTargets {
  readonly isDenied: (path: string) => boolean;
  /** Files that other programs run or obey, by name. */
  readonly isScript: (name: string, path: string) => boolean;
}

/** Looks through a tree, nearest first. Links are not followed, downloaded packages not entered. */
export async function surveyTree(root: string, targets: SurveyTargets): Promise<Survey> {
  const found = {
    repositories: [] as string[],
    bare: [] as string[],
    governing: [] as string[],
    denied: [] as string[],
    scripts: [] as string[],
  };
  let level: string[] = [root];
  let looked = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      looked += 1;
      if (looked > maxSurveyedDirectories) return { ...found, isPartial: true };
      if (looked % surveySliceDirectories === 0) await setImmediate();
      const entries = entriesOf(folder);
      if (isGitFolder(entries)) found.bare.push(folder);
      for (const entry of entries) next.push(...sort(entry, folder, found, targets));
    }
    if (depth >= maxSurveyDepth && next.length > 0) return { ...found, isPartial: true };
    level = next;
  }
  return { ...found, isPartial: false };
}

/** Other people's code: full of test keys, and replaced by the next installation. */
const packageFolders: ReadonlySet<string> = new Set(["node_modules", "site-packages", "dist-packages"]);

type Found = Readonly<Record<"repositories" | "bare" | "governing" | "denied" | "scripts", string[]>>;

/** What git looks for before it believes that a folder is a repository's. Its objects are below it like other folders. */
function isGitFolder(entries: readonly Dirent[]): boolean {
  const has = (name: string): boolean => entries.some((entry) => entry.name === name);
  return has("HEAD") && (has("commondir") || (has("objects") && has("refs")));
}

/** Notes what the entry is. @returns the folders in which to look further */
function sort(entry: Dirent, folder: string, found: Found, targets: SurveyTargets): readonly string[] {
  const path = join(folder, entry.name);
  const name = entry.name.toLowerCase();
  const isGoverned = found.governing.some((above) => isWithin(above, path));
  if (name === ".git") {
    if (!isGoverned) found.repositories.push(folder);
    return [];
  }
  const governs = !isGoverned && isGoverningName(entry.name);
  if (governs) found.governing.push(path);
  else if (targets.isDenied(path)) {
    found.denied.push(path);
    return [];
  }
  if (!entry.isDirectory()) {
    if (targets.isScript(entry.name, path)) found.scripts.push(path);
    return [];
  }
  return packageFolders.has(name) ? [] : [path];
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It is gone, or may not be read by this user, and so not by the program.
    return [];
  }
}

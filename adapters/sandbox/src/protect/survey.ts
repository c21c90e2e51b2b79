import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isGoverningName } from "@capstan/protocol";
import { entriesOf, type FolderEntry, isTooLong } from "@capstan/byte-paths";
import { maxSurveyDepth, maxSurveyedDirectories, surveySliceDirectories } from "../limits.ts";
import type { FolderMemory } from "./folder-memory.ts";
import { shutness } from "./shut-folder.ts";

/** What lies in a tree that a program may change, and needs care. */
export interface Survey {
  /** Folders with a `.git`. */
  readonly repositories: readonly string[];
  /** Folders that git takes for a repository without a working tree. */
  readonly bare: readonly string[];
  /** What governs agents, git or editors, but for `.git`. */
  readonly governing: readonly string[];
  /** Protected by a deny glob, or shut by their user; what is beneath them is not listed. */
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

/** A folder to look in. */
interface Place {
  readonly path: string;
  /** It lies in what governs, and is protected with that. */
  readonly isGoverned: boolean;
}

/** What lies in one folder. */
export interface FolderSurvey extends Omit<Survey, "isPartial"> {
  readonly below: readonly Place[];
}

/**
 * Looks through a tree, nearest first. Links are not followed, downloaded packages not entered.
 * @param memory  of this tree and these targets
 * @param except  folders that are looked through by themselves
 */
export async function surveyTree(
  root: string,
  targets: SurveyTargets,
  memory?: FolderMemory<FolderSurvey>,
  except: readonly string[] = [],
): Promise<Survey> {
  const found: FolderSurvey[] = [];
  let level: readonly Place[] = [{ path: root, isGoverned: false }];
  let isPartial = false;
  let isCut = false;
  for (let depth = 0; level.length > 0 && !isPartial; depth += 1) {
    const next: Place[] = [];
    for (const place of level) {
      isPartial = found.length >= maxSurveyedDirectories;
      if (isPartial) break;
      if (found.length % surveySliceDirectories === surveySliceDirectories - 1) await setImmediate();
      isCut ||= isTooLong(place.path);
      const look = (): FolderSurvey => surveyFolder(place, targets);
      const folder = memory?.of(place.path, look) ?? look();
      found.push(folder);
      next.push(...folder.below.filter(({ path }) => !except.includes(path)));
    }
    isPartial ||= depth >= maxSurveyDepth && next.length > 0;
    level = next;
  }
  return {
    repositories: found.flatMap(({ repositories }) => repositories),
    bare: found.flatMap(({ bare }) => bare),
    governing: found.flatMap(({ governing }) => governing),
    denied: found.flatMap(({ denied }) => denied),
    scripts: found.flatMap(({ scripts }) => scripts),
    isPartial: isPartial || isCut,
  };
}

/** Other people's code: full of test keys, and replaced by the next installation. */
const packageFolders: ReadonlySet<string> = new Set(["node_modules", "site-packages", "dist-packages"]);

/** What git looks for before it believes that a folder is a repository's. Its objects are below it like other folders. */
function isGitFolder(entries: readonly FolderEntry[]): boolean {
  const has = (name: string): boolean => entries.some((entry) => entry.name === name);
  return has("HEAD") && (has("commondir") || (has("objects") && has("refs")));
}

function surveyFolder({ path: folder, isGoverned }: Place, targets: SurveyTargets): FolderSurvey {
  const state = shutness(folder);
  const entries = state === "open" ? entriesOf(folder) : [];
  const found = {
    repositories: [] as string[],
    bare: isGitFolder(entries) ? [folder] : [],
    governing: [] as string[],
    denied: state === "own" ? [folder] : [],
    scripts: [] as string[],
    below: [] as Place[],
  };
  for (const entry of entries) sort(entry, { path: join(folder, entry.name), isGoverned }, { found, folder, targets });
  return found;
}

interface Sorting {
  readonly found: Readonly<Record<Exclude<keyof FolderSurvey, "below">, string[]>> & { readonly below: Place[] };
  readonly folder: string;
  readonly targets: SurveyTargets;
}

/** Notes what the entry is, and whether to look in it. */
function sort(entry: FolderEntry, { path, isGoverned }: Place, { found, folder, targets }: Sorting): void {
  const name = entry.name.toLowerCase();
  if (name === ".git") {
    if (!isGoverned) found.repositories.push(folder);
    return;
  }
  const governs = !isGoverned && isGoverningName(entry.name);
  if (governs) found.governing.push(path);
  else if (targets.isDenied(path)) {
    found.denied.push(path);
    return;
  }
  if (!entry.isDirectory()) {
    if (targets.isScript(entry.name, path)) found.scripts.push(path);
  } else if (!packageFolders.has(name)) found.below.push({ path, isGoverned: isGoverned || governs });
}

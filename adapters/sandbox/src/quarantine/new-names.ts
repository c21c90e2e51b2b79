import { basename, join } from "node:path";
import { isWithin } from "@capstan/patterns";
import { realPathOf } from "../layout/real-path.ts";
import { readGitSettings } from "../protect/git-configuration.ts";
import { identityAt } from "../protect/identity-at.ts";
import type { Survey } from "../protect/survey.ts";

/** What governs agents, editors and git in some folders, by path: which file each was. */
export interface GoverningState {
  readonly names: Readonly<Record<string, string>>;
  /** Working trees of repositories, and which `.git` each had. */
  readonly workTrees: Readonly<Record<string, string>>;
}

export function governingState(surveys: Iterable<Survey>): GoverningState {
  const names: Record<string, string> = {};
  const workTrees: Record<string, string> = {};
  for (const { governing, repositories } of surveys) {
    for (const path of governing) names[path] = identityAt(path) ?? "";
    for (const path of repositories) workTrees[path] = identityAt(join(path, ".git")) ?? "";
  }
  return { names, workTrees };
}

/**
 * Governing names that were not there before. A path that was there and was saved again is none, nor what was moved together with a
 * folder around it; nor does what a clone brings along count, for it lies in a repository that was made with it.
 * @param roots  a repository that is made in one of these does not make its names its own
 */
export function newNames(before: GoverningState, after: GoverningState, roots: readonly string[]): readonly string[] {
  const trees = newKeys(before.workTrees, after.workTrees, (path) => identityAt(join(path, ".git")));
  const cloned = trees.filter((path) => !roots.includes(path));
  return newKeys(before.names, after.names, identityAt).filter(
    (path) => !cloned.some((tree) => isWithin(tree, path)) && !isPlainModules(path),
  );
}

function newKeys(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  look: (path: string) => string | undefined,
): readonly string[] {
  const places = new Map(Object.entries(before).map(([path, identity]) => [identity, path]));
  return Object.entries(after).flatMap(([path, identity]) => {
    if (Object.hasOwn(before, path)) return [];
    const earlier = places.get(identity);
    // It was moved; or it is still there as well, and this is a second name of it.
    return earlier !== undefined && look(earlier) !== identity ? [] : [path];
  });
}

/** Whether it is what `git submodule add` writes: places, and nothing that runs. */
export function isPlainModules(path: string): boolean {
  if (basename(path) !== ".gitmodules") return false;
  const settings = readGitSettings(path);
  return (
    settings.length > 0 &&
    settings.every(
      ({ name, value }) =>
        /^submodule\..+\.(?:path|url|branch|shallow)$/s.test(name) && !value.startsWith("-") && !value.includes("::"),
    )
  );
}

/**
 * Which entry must go so that nothing is at a path at which nothing was: the first link on the way to it, or itself.
 * @param root  real; the path lies below it
 * @returns `undefined` when nothing is there
 */
export function intruderAt(path: string, root: string): string | undefined {
  if (realPathOf(path) === undefined && identityAt(path) === undefined) return undefined;
  let place = root;
  for (const name of path
    .slice(root.length)
    .split("/")
    .filter((part) => part !== "")) {
    place = join(place, name);
    if (realPathOf(place) !== place) return place;
  }
  return place;
}

import { lstatSync, type Stats } from "node:fs";
import { join, relative } from "node:path";
import { isHome } from "@capstan/settings";
import { type TrustClassName, trustClasses } from "./trust-classes.ts";
import { instructionNames, localNames } from "./instruction-names.ts";
import type { TrustFolder } from "./trust-folder.ts";

/** Something in a workspace that trust would let Capstan load. Known by name and size; nothing of it was opened. */
export interface TrustPlace {
  /** Absolute; its folders are real, it may be a link itself. */
  readonly path: string;
  /** From the trusted folder. */
  readonly name: string;
  readonly class: TrustClassName;
  readonly type: "file" | "folder" | "other";
  /** Of a file. */
  readonly sizeBytes: number;
}

/**
 * What trust would let Capstan load for a session in this directory, found without opening a file: only known names are
 * looked at. Outermost first.
 * @param home  the data directory: where a project's `.capstan` is that, nothing in it is the project's
 * @param instructionFiles  names of instruction files, in any letter case; those of a user alone (`*.local.md`) count with them
 */
export function findTrustPlaces(
  folder: TrustFolder,
  home: string,
  instructionFiles: readonly string[],
): readonly TrustPlace[] {
  const levels = folder.levels.toReversed();
  const found = levels.flatMap((level) => namesIn(level, home).map((at) => look(folder, level, at)));
  const wanted = [...instructionFiles, ...localNames(instructionFiles)];
  const notes = levels.flatMap((level) =>
    instructionNames(level, wanted).map((name) => look(folder, level, { name, class: "instructions" })),
  );
  const places = [...found, ...notes].filter((place) => place !== undefined);
  // A file that is named twice is what it is first.
  return [...new Map(places.toReversed().map((place) => [place.path, place])).values()].toReversed();
}

interface NamedPlace {
  readonly name: string;
  readonly class: TrustClassName;
}

const ownFolder = ".capstan";

const knownNames: readonly NamedPlace[] = trustClasses.flatMap(({ name: className, files, folders }) =>
  [...files, ...folders].map((name) => ({ name, class: className })),
);

/** Most directories have no `.capstan`: then nothing in it is looked for. */
function namesIn(level: string, home: string): readonly NamedPlace[] {
  const own = join(level, ownFolder);
  const hasOwn = statsOf(own) !== undefined && !isHome(own, home);
  return hasOwn ? knownNames : knownNames.filter(({ name }) => !name.startsWith(`${ownFolder}/`));
}

function look({ identity }: TrustFolder, level: string, at: NamedPlace): TrustPlace | undefined {
  const path = join(level, at.name);
  const stats = statsOf(path);
  if (stats === undefined) return undefined;
  const type = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
  return {
    path,
    name: relative(identity.path, path),
    class: at.class,
    type,
    sizeBytes: type === "file" ? stats.size : 0,
  };
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A component that is no directory, or that we may not enter.
    return undefined;
  }
}

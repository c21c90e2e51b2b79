import { opendirSync } from "node:fs";
import { maxWalkedNames } from "./limits.ts";

/**
 * The names under which instruction files stand in a folder, the wanted spelling first and then every other that is
 * there: `AGENTS.md` is also `agents.md`. Only the folder's names are read.
 */
export function instructionNames(folder: string, wanted: readonly string[]): readonly string[] {
  const usable = wanted.filter((name) => name !== "" && !name.includes("\0"));
  const present = namesOf(folder);
  if (present === undefined) return usable;
  const found = usable.flatMap((name) => {
    if (name.includes("/")) return [name];
    const spellings = present.filter((other) => isSpelling(other, name));
    return spellings.includes(name) ? [name, ...spellings] : spellings;
  });
  return [...new Set(found)];
}

/** What a user keeps beside them for this place alone: `AGENTS.local.md` beside `AGENTS.md`. */
export function localNames(wanted: readonly string[]): readonly string[] {
  return wanted.flatMap((name) => (/[^/]\.md$/i.test(name) ? [name.replace(/\.md$/i, ".local.md")] : []));
}

function isSpelling(name: string, wanted: string): boolean {
  return name.length === wanted.length && name.toLowerCase() === wanted.toLowerCase();
}

/** `undefined` for a folder that cannot be listed, or has more names than are looked at: then only the wanted spelling counts. */
function namesOf(folder: string): readonly string[] | undefined {
  const names: string[] = [];
  try {
    const directory = opendirSync(folder);
    try {
      for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
        if (names.length === maxWalkedNames) return undefined;
        names.push(entry.name);
      }
    } finally {
      directory.closeSync();
    }
  } catch {
    return undefined;
  }
  return names.toSorted();
}

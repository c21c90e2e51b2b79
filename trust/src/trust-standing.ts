import { differences, type FileDifference } from "./file-difference.ts";
import { findTrustPlaces, type TrustPlace } from "./find-trust-places.ts";
import { type ReadFiles, readTrustFiles } from "./read-trust-files.ts";
import type { TrustEntry } from "./trust-entry.ts";
import { isSameFolder, levelNames, type TrustFolder, trustFolder } from "./trust-folder.ts";
import { readTrust } from "./trust-store.ts";

/** A folder and what trust in it would let Capstan load, by name and size. */
export interface TrustSituation {
  readonly folder: TrustFolder;
  readonly places: readonly TrustPlace[];
}

/** Where to look: see the options of `decideTrust`. */
export interface TrustPlaceNames {
  readonly cwd: string;
  readonly home: string;
  readonly instructionFiles: readonly string[];
}

/** Finds the folder around a directory and what it brings along, without opening anything. */
export function lookAround({ cwd, home, instructionFiles }: TrustPlaceNames): TrustSituation {
  const folder = trustFolder(cwd);
  return { folder, places: findTrustPlaces(folder, home, instructionFiles) };
}

/** What the store says about a folder as it is now. */
export type TrustStanding =
  | { readonly type: "trusted"; readonly read: ReadFiles; readonly entry: TrustEntry }
  | { readonly type: "new" | "replaced" }
  | { readonly type: "refused"; readonly reason: string }
  | {
      readonly type: "changed";
      readonly read: ReadFiles;
      readonly changed: readonly FileDifference[];
      readonly entry: TrustEntry;
    };

export function standingOf(home: string, { folder, places }: TrustSituation): TrustStanding {
  const stored = readTrust(home, folder.identity.path);
  if (stored.type === "none") return { type: "new" };
  if (stored.type === "refused") return stored;
  const { entry } = stored;
  if (!isSameFolder(entry.folder, folder.identity)) return { type: "replaced" };
  const read = readTrustFiles(folder.identity, places);
  const changed = differences(entry, read.files, levelNames(folder));
  return changed.length === 0 ? { type: "trusted", read, entry } : { type: "changed", read, changed, entry };
}

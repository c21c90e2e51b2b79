import type { FileConflict, FileEffect } from "@capstan/protocol";
import { isSameVersion } from "./join-effects.ts";

/** What restoring files takes, and which files can only be restored in part. */
export interface RewindPlan {
  readonly files: readonly FileEffect[];
  readonly conflicts: readonly FileConflict[];
}

/**
 * The way back from what was done to files (lists in the order of doing, one for each turn), file by file, from the last change to the first. Where somebody else changed a
 * file between two of our changes, the way ends there: what that user wrote is never overwritten.
 */
export function planRewind(done: readonly (readonly FileEffect[])[]): RewindPlan {
  const files = new Map<string, FileEffect>();
  const conflicts = new Map<string, FileConflict>();
  for (const effect of done.flat().toReversed()) {
    const { path } = effect;
    const later = files.get(path);
    if (conflicts.has(path)) continue;
    if (later === undefined) files.set(path, { path, before: effect.after, after: effect.before });
    else if (isSameVersion(later.after, effect.after)) files.set(path, { ...later, after: effect.before });
    else conflicts.set(path, { path, reason: changedBetween });
  }
  const needed = [...files.values()].filter((file) => !isSameVersion(file.before, file.after));
  return { files: needed, conflicts: [...conflicts.values()] };
}

const changedBetween =
  "somebody else changed it between the turns that are taken back: it was restored only to what they wrote";

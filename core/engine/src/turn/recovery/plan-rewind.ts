import type { FileConflict, FileEffect, RewindPreview } from "@capstan/protocol";
import type { SessionState } from "../../model/state.ts";

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
    else if (isSame(later.after, effect.after)) files.set(path, { ...later, after: effect.before });
    else conflicts.set(path, { path, reason: changedBetween });
  }
  const needed = [...files.values()].filter((file) => !isSame(file.before, file.after));
  return { files: needed, conflicts: [...conflicts.values()] };
}

/** What taking back all turns but the first so many would do, as far as the journal shows. */
export function previewRewind({ turns }: SessionState, keepTurns: number): RewindPreview {
  const taken = turns.slice(Math.max(0, keepTurns));
  const { files, conflicts } = planRewind(taken.map(({ effects }) => effects));
  return {
    turns: taken.map(({ turnId }) => turnId),
    files: files.map(({ path, before, after }) => ({
      path,
      change: before === null ? "created" : after === null ? "removed" : "changed",
    })),
    conflicts,
    left: [...new Set(taken.flatMap(({ left }) => left))],
  };
}

const changedBetween =
  "somebody else changed it between the turns that are taken back: it was restored only to what they wrote";

function isSame(one: FileEffect["before"], other: FileEffect["before"]): boolean {
  return one?.blob === other?.blob && one?.mode === other?.mode;
}

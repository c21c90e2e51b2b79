import { planRewind } from "@capstan/policy";
import type { FileConflict, FileEffect, RewindPreview } from "@capstan/protocol";
import type { SessionState } from "../model/state.ts";

/** What taking back all turns but the first so many would bring files to, as far as the journal shows. */
export function rewindEffects({ turns }: SessionState, keepTurns: number): readonly FileEffect[] {
  return planRewind(takenOf(turns, keepTurns).map(({ effects }) => effects)).files;
}

/**
 * What taking back all turns but the first so many would do.
 * @param found  what stands in the way of files now, where somebody looked: they would be left alone
 */
export function previewRewind(
  { turns }: SessionState,
  keepTurns: number,
  found: readonly FileConflict[] = [],
): RewindPreview {
  const taken = takenOf(turns, keepTurns);
  const { files, conflicts } = planRewind(taken.map(({ effects }) => effects));
  const leftAlone = new Set(found.map(({ path }) => path));
  return {
    turns: taken.map(({ turnId }) => turnId),
    files: files
      .filter(({ path }) => !leftAlone.has(path))
      .map(({ path, before, after }) => ({
        path,
        change: before === null ? "created" : after === null ? "removed" : "changed",
      })),
    conflicts: [...found, ...conflicts.filter(({ path }) => !leftAlone.has(path))],
    left: [...new Set(taken.flatMap(({ left }) => left))],
  };
}

function takenOf(turns: SessionState["turns"], keepTurns: number): SessionState["turns"] {
  return turns.slice(Math.max(0, keepTurns));
}

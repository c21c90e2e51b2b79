import { structuredPatch } from "diff";
import { maxDiffSteps, maxEqualLines } from "./limits.ts";

/** A run of changes with the lines around it, each with its mark: " ", "-", "+", or "\" for a missing line end. */
export interface DiffHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

/** `steps`: the work it took, at most; the same on every machine. */
export type ComparedTexts =
  | { readonly type: "compared"; readonly hunks: readonly DiffHunk[]; readonly steps: number }
  | { readonly type: "too-different"; readonly steps: number };

/**
 * Compares two texts line by line. The work is bounded in steps and not in time, so that the answer depends on the texts alone.
 * @param contextLines  unchanged lines around a change
 */
export function compareTexts(before: string, after: string, contextLines: number): ComparedTexts {
  const [old, young] = [linesOf(before), linesOf(after)];
  const { head, tail } = commonEnds(old, young);
  const shorter = Math.min(old.length, young.length) - head - tail;
  // The lines around the first and the last change stay: a hunk shows them.
  const first = Math.max(0, head - contextLines);
  const rest = (lines: readonly string[]): string =>
    lines.slice(first, lines.length - Math.max(0, tail - contextLines)).join("");
  const patch = structuredPatch("", "", rest(old), rest(young), undefined, undefined, {
    context: contextLines,
    maxEditLength: editLimit(shorter),
  });
  if (patch === undefined) return { type: "too-different", steps: maxDiffSteps };
  const hunks = patch.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + first,
    newStart: hunk.newStart + first,
  }));
  const edits = hunks.flatMap(({ lines }) => lines).filter((line) => /^[-+]/.test(line)).length;
  return { type: "compared", hunks, steps: stepsFor(edits, shorter) };
}

/** With their ends: a last line without one differs from a line with one. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** How many lines both begin and end with. */
function commonEnds(
  old: readonly string[],
  young: readonly string[],
): { readonly head: number; readonly tail: number } {
  const shorter = Math.min(old.length, young.length);
  let head = 0;
  while (head < shorter && old[head] === young[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === young.at(-1 - tail)) tail += 1;
  return { head, tail };
}

/**
 * How many edits may be looked for. Each edit more tries one place on every way to continue, of which there are no more than the
 * shorter text has lines, on either side: an insertion is found in linear work, however long it is.
 */
function editLimit(shorter: number): number {
  const ways = shorter + 1;
  const edits = Math.max(Math.floor(Math.sqrt(2 * maxDiffSteps)), Math.floor(maxDiffSteps / ways));
  return Math.min(edits, Math.floor(maxEqualLines / ways));
}

function stepsFor(edits: number, shorter: number): number {
  return Math.min(maxDiffSteps, edits * Math.min(edits, shorter + 1) + 1);
}

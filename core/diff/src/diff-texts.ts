import { utf8Length } from "@capstan/protocol";
import { formatPatch } from "diff";
import { compareTexts, type DiffHunk } from "./compare-texts.ts";
import { countLines } from "./count-lines.ts";
import { diffContextLines, maxDiffBytes } from "./limits.ts";

/** What changed in a text: counted lines, and a unified diff, cut at `maxDiffBytes`. */
export interface TextDiff {
  readonly addedLines: number;
  readonly removedLines: number;
  /** Absent where nothing changed, and where the texts are too different to compare: the counts are estimates then. */
  readonly diff?: string;
  /** The work it took, of `maxDiffSteps` at most. */
  readonly steps: number;
}

/** Names as shown; `null`: there is no such file. */
export interface TextNames {
  readonly before: string | null;
  readonly after: string | null;
}

export function diffTexts(names: TextNames, before: string, after: string): TextDiff {
  const compared = compareTexts(before, after, diffContextLines);
  const { steps } = compared;
  if (compared.type === "too-different") return { ...countLines(before, after), steps };
  const counts = { addedLines: count(compared.hunks, "+"), removedLines: count(compared.hunks, "-"), steps };
  if (compared.hunks.length === 0) return counts;
  return { ...counts, diff: cutDiff(unifiedText(names, compared.hunks)) };
}

function count(hunks: readonly DiffHunk[], mark: "+" | "-"): number {
  return hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(mark)).length, 0);
}

function unifiedText(names: TextNames, hunks: readonly DiffHunk[]): string {
  const patch = {
    oldFileName: names.before === null ? "/dev/null" : `a/${names.before}`,
    newFileName: names.after === null ? "/dev/null" : `b/${names.after}`,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: hunks.map((hunk) => ({ ...hunk, lines: [...hunk.lines] })),
  };
  return formatPatch(patch, { includeIndex: false, includeUnderline: false, includeFileHeaders: true });
}

/** Ends after a whole line. */
function cutDiff(diff: string): string {
  if (utf8Length(diff) <= maxDiffBytes) return diff;
  let [end, bytes] = [0, 0];
  for (let next = diff.indexOf("\n"); next !== -1; next = diff.indexOf("\n", end)) {
    bytes += utf8Length(diff.slice(end, next + 1));
    if (bytes > maxDiffBytes) break;
    end = next + 1;
  }
  const left = diff.slice(end).split("\n").length - 1;
  return `${diff.slice(0, end)}[diff cut: ${left} more lines]\n`;
}

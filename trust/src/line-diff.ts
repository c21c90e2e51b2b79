import { maxComparedPairs, maxDiffLines } from "./limits.ts";

/** What changed between two texts. */
export interface LineDiff {
  readonly added: number;
  readonly removed: number;
  /** Unified, with three lines around each change; cut at the limit. */
  readonly lines: readonly string[];
}

interface Edit {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

const contextLines = 3;

/** Compares line by line. Texts too large to compare are shown as all gone and all new. */
export function lineDiff(before: string, after: string): LineDiff {
  const edits = compare(linesOf(before), linesOf(after));
  const count = (mark: Edit["mark"]): number => edits.filter((edit) => edit.mark === mark).length;
  return { added: count("+"), removed: count("-"), lines: cut(unified(edits)) };
}

/** The end of the last line counts: a text without it differs from one with it. */
function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") return lines.slice(0, -1);
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ""} (no line end)`];
}

function compare(before: readonly string[], after: readonly string[]): readonly Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (end < shorter && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return [
    ...before.slice(0, start).map((text): Edit => ({ mark: " ", text })),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map((text): Edit => ({ mark: " ", text })),
  ];
}

function middle(before: readonly string[], after: readonly string[]): readonly Edit[] {
  if (before.length * after.length > maxComparedPairs) {
    return [...before.map((text): Edit => ({ mark: "-", text })), ...after.map((text): Edit => ({ mark: "+", text }))];
  }
  const width = after.length + 1;
  // How many lines the rests of both have in common.
  const common = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const edits: Edit[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    const [old, young] = [before[row], after[column]];
    if (old !== undefined && old === young) {
      edits.push({ mark: " ", text: old });
      row += 1;
      column += 1;
    } else if (old !== undefined && (young === undefined || at(row + 1, column) >= at(row, column + 1))) {
      edits.push({ mark: "-", text: old });
      row += 1;
    } else {
      edits.push({ mark: "+", text: young ?? "" });
      column += 1;
    }
  }
  return edits;
}

/** Only what is near a change, with the numbers of the lines. */
function unified(edits: readonly Edit[]): readonly string[] {
  const lines: string[] = [];
  const near = nearChange(edits);
  let [before, after] = [1, 1];
  for (const [index, { mark, text }] of edits.entries()) {
    if (near[index] === true) {
      if (near[index - 1] !== true) lines.push(`@@ -${before} +${after} @@`);
      lines.push(`${mark}${text}`);
    }
    if (mark !== "+") before += 1;
    if (mark !== "-") after += 1;
  }
  return lines;
}

function nearChange(edits: readonly Edit[]): readonly boolean[] {
  const near = edits.map(() => false);
  for (const [index, { mark }] of edits.entries()) {
    if (mark !== " ") near.fill(true, Math.max(0, index - contextLines), index + contextLines + 1);
  }
  return near;
}

function cut(lines: readonly string[]): readonly string[] {
  const left = lines.length - maxDiffLines;
  return left <= 0 ? lines : [...lines.slice(0, maxDiffLines), `… and ${left} more lines`];
}

import { describeNearestLines } from "../lp1/nearest-lines.ts";
import { patchLimits } from "../lp1/limits.ts";
import type { CodexChunk } from "./codex-patch.ts";
import { SoughtLines } from "./seek-lines.ts";

/** What became of a file's text, or the first change that does not fit. */
export type ChunksResult =
  | { readonly type: "applied"; readonly text: string; readonly lineVisits: number }
  | { readonly type: "misfit"; readonly line: number; readonly problem: string; readonly advice: string };

/**
 * Applies the changes of one file, each below the one before. The result ends with a line end. Lines that stay keep their line ends; new ones
 * have that of the file's first line.
 * @param visitedBefore  lines times changes that earlier files of the patch took; the sum is bounded
 */
export function applyChunks(
  text: string,
  chunks: readonly CodexChunk[],
  shown: string,
  visitedBefore: number,
): ChunksResult {
  const source = readLines(text);
  const sought = new SoughtLines(source.map(({ text: line }) => line));
  const replacements: Replacement[] = [];
  let from = 0;
  let lineVisits = visitedBefore;
  for (const chunk of chunks) {
    lineVisits += source.length * (chunk.contexts.length + 1);
    if (lineVisits > patchLimits.maxLineVisits)
      return misfit(chunk, `Too many changes for a file of this length: ${shown}`, "Send several patches.");
    const context = seekContexts(sought, chunk, from);
    if (context.missing !== undefined) {
      const advice = describeNearestLines(sought.lines, [context.missing]);
      return misfit(chunk, `Failed to find context '${context.missing}' in ${shown}`, advice);
    }
    const replacement = placed(sought, chunk, context.below);
    if (replacement === undefined)
      return misfit(chunk, notFound(chunk, shown), adviceFor(sought, chunk, context.below));
    replacements.push(replacement);
    // Lines that are only added say nothing of where the next change is.
    from = chunk.oldLines.length === 0 ? context.below : replacement.start + replacement.count;
  }
  return { type: "applied", text: spliced(source, replacements), lineVisits };
}

interface SourceLine {
  readonly text: string;
  /** Empty: the last line has none. */
  readonly end: "" | "\n" | "\r\n";
}

interface Replacement {
  readonly start: number;
  readonly count: number;
  readonly lines: readonly string[];
}

function readLines(text: string): readonly SourceLine[] {
  const pieces = text.split("\n");
  const rest = pieces.pop() ?? "";
  const lines: SourceLine[] = pieces.map((piece) =>
    piece.endsWith("\r") ? { text: piece.slice(0, -1), end: "\r\n" } : { text: piece, end: "\n" },
  );
  return rest === "" ? lines : [...lines, { text: rest, end: "" }];
}

function seekContexts(
  sought: SoughtLines,
  { contexts }: CodexChunk,
  from: number,
): { readonly below: number; readonly missing?: string } {
  let below = from;
  for (const context of contexts) {
    const place = sought.seek([context], below, false);
    if (place !== undefined) below = place + 1;
    // The head of a unified diff's hunk says numbers, which are not looked at.
    else if (!/^-\d+(,\d+)? \+\d+(,\d+)? @@/.test(context)) return { below, missing: context };
  }
  return { below };
}

function placed(
  sought: SoughtLines,
  { contexts, oldLines, newLines, atEnd }: CodexChunk,
  below: number,
): Replacement | undefined {
  if (oldLines.length === 0) {
    // Below the line that is named; else at the end of the file, before a last line that is empty.
    const count = sought.lines.length;
    if (contexts.length > 0 && !atEnd) return { start: below, count: 0, lines: newLines };
    return { start: sought.lines.at(-1) === "" ? count - 1 : count, count: 0, lines: newLines };
  }
  const start = sought.seek(oldLines, below, atEnd);
  if (start !== undefined) return { start, count: oldLines.length, lines: newLines };
  if (oldLines.at(-1) !== "") return undefined;
  // A last line that is empty may stand for the line end of the one before.
  const shorter = oldLines.slice(0, -1);
  const again = sought.seek(shorter, below, atEnd);
  if (again === undefined) return undefined;
  return { start: again, count: shorter.length, lines: newLines.at(-1) === "" ? newLines.slice(0, -1) : newLines };
}

/** Additions at the end may come before changes above them; of two at one place the first comes first. */
function spliced(source: readonly SourceLine[], replacements: readonly Replacement[]): string {
  const lineEnd = source[0]?.end === "\r\n" ? "\r\n" : "\n";
  const pieces: string[] = [];
  let next = 0;
  const keep = (until: number): void => {
    for (const { text, end } of source.slice(next, until)) pieces.push(text, end === "" ? lineEnd : end);
    next = Math.max(next, until);
  };
  for (const { start, count, lines } of replacements.toSorted((one, other) => one.start - other.start)) {
    keep(start);
    for (const line of lines) pieces.push(line, lineEnd);
    next = Math.max(next, start + count);
  }
  keep(source.length);
  return pieces.join("");
}

function notFound({ oldLines, atEnd }: CodexChunk, shown: string): string {
  const where = atEnd ? `at the end of ${shown}` : `in ${shown}`;
  const quoted = oldLines.slice(0, patchLimits.maxQuotedOldLines).join("\n");
  return `Failed to find expected lines ${where}:\n${quoted}\n`;
}

function adviceFor(sought: SoughtLines, { oldLines }: CodexChunk, below: number): string {
  const above = sought.seek(oldLines, 0, false);
  if (above !== undefined && below > 0)
    return `They occur at line ${above + 1}, above the change before: put changes in the file's order.`;
  return describeNearestLines(sought.lines, oldLines);
}

function misfit(chunk: CodexChunk, problem: string, advice: string): ChunksResult {
  return { type: "misfit", line: chunk.line, problem, advice };
}

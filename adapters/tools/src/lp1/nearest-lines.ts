import { similarityTo } from "../files/text-similarity.ts";
import { nearestLimits } from "./limits.ts";

/**
 * What the file has where the find block was probably meant, as a sentence and numbered lines.
 * Looks for the place that shares most lines with the block, white space aside; else for the line most like the block's longest one.
 */
export function describeNearestLines(lines: readonly string[], find: readonly string[]): string {
  if (lines.length === 0) return "The file is empty; use T or B.";
  if (find.every((line) => /^\s*\d+\t/.test(line)))
    return "Leave out the line numbers that read_file puts before each line.";
  const shared = placeSharingMost(lines, find);
  // A brace or an `end` in common says little; a line that is nearly right says more.
  const isClose = shared !== undefined && shared.characters >= nearestLimits.minSharedCharacters;
  const start = isClose ? shared.start : (startByLikeness(lines, find) ?? shared?.start);
  if (start === undefined) return "Nothing in the file is like it; read the file again and copy whole lines exactly.";
  return `${firstDifference(lines, find, start)}\nThe nearest lines of the file are:\n${numbered(lines, start, find.length)}`;
}

interface SharedPlace {
  /** 0-based; may lie before the file or run over its end when the block does. */
  readonly start: number;
  /** Length of the lines it shares with the block. */
  readonly characters: number;
}

function placeSharingMost(lines: readonly string[], find: readonly string[]): SharedPlace | undefined {
  const offsets = offsetsByText(find);
  const votes = new Map<number, number>();
  let best: SharedPlace | undefined;
  for (const [index, line] of lines.entries()) {
    const text = squeezed(line);
    for (const offset of offsets.get(text) ?? []) {
      const start = index - offset;
      const characters = (votes.get(start) ?? 0) + text.length;
      votes.set(start, characters);
      if (best === undefined || characters > best.characters) best = { start, characters };
    }
  }
  return best;
}

/** Where each distinct text of the block stands in it. Blank lines say nothing; repeated texts vote with their first places only. */
function offsetsByText(find: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const offsets = new Map<string, number[]>();
  for (const [offset, line] of find.entries()) {
    const text = squeezed(line);
    const known = offsets.get(text);
    if (text === "" || (known !== undefined && known.length >= nearestLimits.maxPlacesPerText)) continue;
    if (known === undefined) offsets.set(text, [offset]);
    else known.push(offset);
  }
  return offsets;
}

function startByLikeness(lines: readonly string[], find: readonly string[]): number | undefined {
  const longest = find.reduce((best, line) => (squeezed(line).length > squeezed(best).length ? line : best), "");
  const similarity = similarityTo(comparable(longest));
  let best: { readonly index: number; readonly likeness: number } | undefined;
  for (const [index, line] of lines.slice(0, nearestLimits.maxComparedLines).entries()) {
    const likeness = similarity(comparable(line));
    if (likeness >= nearestLimits.minLikeness && likeness > (best?.likeness ?? 0)) best = { index, likeness };
  }
  return best === undefined ? undefined : best.index - find.indexOf(longest);
}

function firstDifference(lines: readonly string[], find: readonly string[], start: number): string {
  for (const [offset, wanted] of find.entries()) {
    const found = lines[start + offset];
    if (found === wanted) continue;
    const where = `Line ${offset + 1} of the find block, ${shown(wanted)}, `;
    if (found === undefined) return `${where}would lie outside the file, which has ${lines.length} lines.`;
    if (squeezed(found) === squeezed(wanted)) {
      return `${where}differs only in white space from line ${start + offset + 1}, ${shown(found)}.`;
    }
    return `${where}differs from line ${start + offset + 1}.`;
  }
  return "";
}

function numbered(lines: readonly string[], start: number, count: number): string {
  const from = Math.max(0, start);
  const to = Math.min(lines.length, Math.max(start + count, from + 1), from + nearestLimits.maxQuotedLines);
  const rows = lines.slice(from, to).map((line, offset) => `${from + offset + 1}\t${cut(line)}`);
  return to < start + count && to < lines.length ? [...rows, "…"].join("\n") : rows.join("\n");
}

function squeezed(line: string): string {
  return line.trim().replaceAll(/\s+/g, " ");
}

function comparable(line: string): string {
  return squeezed(line).slice(0, nearestLimits.comparedLineCharacters).toLowerCase();
}

function shown(line: string): string {
  return JSON.stringify(cut(line));
}

function cut(line: string): string {
  return line.length > nearestLimits.quotedLineCharacters
    ? `${line.slice(0, nearestLimits.quotedLineCharacters)}…`
    : line;
}

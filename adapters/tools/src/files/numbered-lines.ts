import { splitLines, withoutCutCharacter } from "./text-content.ts";

/** Lines of a text with their numbers, as far as they fit. */
export interface NumberedLines {
  readonly text: string;
  /** Number of the last line shown; before the first one when none is. */
  readonly last: number;
  /** The last line was longer than everything allowed and lost its end. */
  readonly cutLine: boolean;
}

/**
 * Numbers right-aligned, a tab, the line; joined by LF.
 * @param lines  all lines of the file, the first being number 1
 * @param range  numbers of the first and last line wanted
 * @param limitBytes  UTF-8 bytes of the result
 */
export function numberLines(
  lines: readonly string[],
  range: { readonly first: number; readonly last: number },
  limitBytes: number,
): NumberedLines {
  const width = String(range.last).length;
  const shown: string[] = [];
  let left = limitBytes;
  for (let number = range.first; number <= range.last; number += 1) {
    const line = `${String(number).padStart(width)}\t${lines[number - 1] ?? ""}`;
    const size = Buffer.byteLength(line) + 1;
    if (size > left && shown.length > 0) return { text: shown.join("\n"), last: number - 1, cutLine: false };
    if (size > left) return { text: cutText(line, left), last: number, cutLine: true };
    shown.push(line);
    left -= size;
  }
  return { text: shown.join("\n"), last: range.last, cutLine: false };
}

/** Line ends a text uses, for a note. */
export function lineEndNote(text: string): string | undefined {
  const crlf = text.split("\r\n").length - 1;
  if (crlf === 0) return undefined;
  const all = splitLines(text).length - (text.endsWith("\n") ? 0 : 1);
  return crlf >= all ? "CRLF line ends" : "mixed line ends (CRLF and LF)";
}

function cutText(text: string, limitBytes: number): string {
  return withoutCutCharacter(Buffer.from(text).subarray(0, Math.max(limitBytes, 0))).toString("utf8");
}

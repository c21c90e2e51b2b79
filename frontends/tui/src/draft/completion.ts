import {
  type Draft,
  draftText,
  insertLines,
  type Item,
  type Line,
  linesOf,
  type Place,
  remembered,
  removeBetween,
} from "./draft.ts";

/** A word that may be completed. */
export interface Completion {
  /** A command, where the draft begins with it; a file; something to remember. */
  readonly sign: "/" | "@" | "#";
  /** What stands between the sign and the caret; of a command also the first word behind its name. */
  readonly text: string;
  readonly range: Range;
}

export interface Range {
  readonly from: Place;
  readonly to: Place;
}

/** The word under the caret, if its first letter says that there are names to choose from. */
export function completionAt({ lines, caret }: Draft): Completion | null {
  const line = lines[caret.line] ?? [];
  const from = line.findLastIndex((item, at) => at < caret.at && isBetween(item)) + 1;
  const argument = argumentAt(line, caret);
  if (argument !== null) return argument;
  if (from >= caret.at) return null;
  const sign = line[from];
  if (sign !== "/" && sign !== "@" && sign !== "#") return null;
  if (sign === "/" && (caret.line > 0 || from > 0)) return null;
  const end = line.findIndex((item, at) => at >= caret.at && isBetween(item));
  const text = draftText({ lines: [line.slice(from + 1, caret.at)] });
  const to = { line: caret.line, at: end === -1 ? line.length : end };
  return { sign, text, range: { from: { line: caret.line, at: from }, to } };
}

/** What follows the name of a command, where the caret stands in its first word: the command is completed with it. */
function argumentAt(line: Line, caret: Place): Completion | null {
  if (caret.line > 0) return null;
  const text = draftText({ lines: [line.slice(0, caret.at)] });
  if (!/^\/\S+\s+[^\s@]*$/.test(text)) return null;
  const end = line.findIndex((item, at) => at >= caret.at && isBetween(item));
  const to = { line: 0, at: end === -1 ? line.length : end };
  return { sign: "/", text: text.slice(1), range: { from: { line: 0, at: 0 }, to } };
}

/** Other text in the place of a range, with the caret behind it. */
export function replaceRange(draft: Draft, { from, to }: Range, text: string): Draft {
  return insertLines(removeBetween(remembered(draft), from, to), linesOf(text));
}

/** Words end at white space, and at what stands for a paste or an image. */
function isBetween(item: Item): boolean {
  return typeof item !== "string" || /^\s/.test(item);
}

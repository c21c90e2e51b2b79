import {
  type Draft,
  insertLines,
  type Line,
  linesBetween,
  relettered,
  type Place,
  placed,
  removeBetween,
} from "../draft.ts";
import type { Operator } from "./commands.ts";
import { firstWritten, isBlank, lineAt, type Range } from "./spots.ts";

/** What an operator made of the draft; `taken`: what it put into the register. */
export interface Operated {
  readonly draft: Draft;
  readonly taken?: { readonly lines: readonly Line[]; readonly isLines: boolean };
}

/** What `>` and `<` shift by. */
const indentation: Line = [" ", " "];

export function operate(operator: Operator, draft: Draft, range: Range): Operated {
  switch (operator) {
    case "d":
      return {
        draft: range.isLines ? withoutLines(draft, range) : withoutLetters(draft, range),
        ...takenOf(draft, range),
      };
    case "c":
      return { draft: range.isLines ? emptied(draft, range) : withoutLetters(draft, range), ...takenOf(draft, range) };
    case "y":
      return { draft: { ...draft, caret: yankedCaret(draft, range), goal: null }, ...takenOf(draft, range) };
    case ">":
    case "<":
      return { draft: shifted(draft, range, operator) };
    case "~":
    case "u":
    case "U":
      return { draft: eachLetter(draft, range, cases[operator]) };
  }
}

/** Every letter of a range made another; the caret is at its beginning. */
export function eachLetter(draft: Draft, range: Range, change: (letter: string) => string): Draft {
  const { from, to, isLines } = range;
  const lines = draft.lines.map((items, line): Line => {
    if (line < from.line || line > to.line) return items;
    const start = isLines || line > from.line ? 0 : from.at;
    const end = isLines || line < to.line ? items.length : to.at;
    const made = items.map((item, at) => (at < start || at >= end || typeof item !== "string" ? item : change(item)));
    return relettered(made);
  });
  return placed(draft, lines, isLines ? { line: from.line, at: 0 } : from);
}

export const cases = {
  "~": (letter: string): string => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()),
  u: (letter: string): string => letter.toLowerCase(),
  U: (letter: string): string => letter.toUpperCase(),
} as const;

/** Lines made one, with a blank at each seam where none is. */
export function joinLines(draft: Draft, line: number, count: number): Draft {
  let joined = draft;
  const seams = Math.min(draft.lines.length - 1 - line, Math.max(2, count) - 1);
  for (let left = seams; left > 0; left -= 1) joined = joinedToNext(joined, line);
  return joined;
}

/** The caret is at the seam. */
function joinedToNext(draft: Draft, line: number): Draft {
  const [items, next] = [lineAt(draft, line), lineAt(draft, line + 1)];
  const written = next.findIndex((item) => !isBlank(item));
  const start = written === -1 ? next.length : written;
  const seam = { line, at: items.length };
  const needsBlank = items.length > 0 && written !== -1 && !isBlank(items.at(-1)) && next[start] !== ")";
  const spaced = needsBlank ? insertLines({ ...draft, caret: seam }, [[" "]]) : draft;
  const end = { line, at: lineAt(spaced, line).length };
  return { ...removeBetween(spaced, end, { line: line + 1, at: start }), caret: seam };
}

/** Puts what was taken in behind the caret, or before it. */
export function put(draft: Draft, register: readonly Line[], isLines: boolean, isBehind: boolean): Draft {
  const { caret, lines } = draft;
  if (isLines) {
    const at = caret.line + (isBehind ? 1 : 0);
    const all = [...lines.slice(0, at), ...register, ...lines.slice(at)];
    return placed(draft, all, { line: at, at: firstWritten(all[at] ?? []) });
  }
  const { length } = lineAt(draft, caret.line);
  const at = isBehind && length > 0 ? caret.at + 1 : caret.at;
  const made = insertLines({ ...draft, caret: { line: caret.line, at } }, register);
  const isOneLine = register.length === 1;
  return { ...made, caret: { line: caret.line, at: isOneLine ? Math.max(0, made.caret.at - 1) : at } };
}

function takenOf(draft: Draft, { from, to, isLines }: Range): Pick<Operated, "taken"> {
  const lines = isLines ? draft.lines.slice(from.line, to.line + 1) : linesBetween(draft, from, to);
  return lines.length === 1 && lines[0]?.length === 0 && !isLines ? {} : { taken: { lines, isLines } };
}

function withoutLetters(draft: Draft, { from, to }: Range): Draft {
  return removeBetween(draft, from, to);
}

function withoutLines(draft: Draft, { from, to }: Range): Draft {
  const left = [...draft.lines.slice(0, from.line), ...draft.lines.slice(to.line + 1)];
  const lines = left.length === 0 ? [[]] : left;
  const line = Math.min(from.line, lines.length - 1);
  return placed(draft, lines, { line, at: firstWritten(lines[line] ?? []) });
}

/** Whole lines made one that is empty. */
function emptied(draft: Draft, { from, to }: Range): Draft {
  const lines = [...draft.lines.slice(0, from.line), [], ...draft.lines.slice(to.line + 1)];
  return placed(draft, lines, { line: from.line, at: 0 });
}

/** Whole lines leave the caret where it is, or lead it up to the first of them. */
function yankedCaret({ caret }: Draft, { from, isLines }: Range): Place {
  if (!isLines) return from;
  return from.line < caret.line ? { line: from.line, at: from.at } : caret;
}

function shifted(draft: Draft, { from, to }: Range, operator: ">" | "<"): Draft {
  let made = draft;
  for (let line = from.line; line <= to.line; line += 1) {
    const items = lineAt(made, line);
    const start = { line, at: 0 };
    if (operator === "<") made = removeBetween(made, start, { line, at: shiftOf(items) });
    else if (items.length > 0) made = insertLines({ ...made, caret: start }, [indentation]);
  }
  return { ...made, caret: { line: from.line, at: firstWritten(lineAt(made, from.line)) } };
}

/** Letters that `<` takes from a line: a tab, or as many blanks as there are. */
function shiftOf(items: Line): number {
  if (items[0] === "\t") return 1;
  const written = items.slice(0, indentation.length).findIndex((item) => item !== " ");
  return written === -1 ? Math.min(items.length, indentation.length) : written;
}

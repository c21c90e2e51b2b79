import type { Draft, Line } from "../draft.ts";
import { bracketsAround } from "./blocks.ts";
import { isBlank, kindOf, lineAt, type Range } from "./spots.ts";

/** @param isWhole  with what stands around it: `a`; without: `i`. @returns null where there is none */
type TextObject = (draft: Draft, isWhole: boolean, count: number) => Range | null;

export const objects: Readonly<Record<string, TextObject>> = {
  w: (draft, isWhole, count) => wordsAt(draft, isWhole, count, false),
  W: (draft, isWhole, count) => wordsAt(draft, isWhole, count, true),
  p: blockAt,
  '"': quoted('"'),
  "'": quoted("'"),
  "`": quoted("`"),
  ...bracketed("(", ")", "b"),
  ...bracketed("[", "]"),
  ...bracketed("{", "}", "B"),
  ...bracketed("<", ">"),
};

/** Runs of one kind of letter; a whole word has the blanks behind it, or, where there are none, those before it. */
function wordsAt(draft: Draft, isWhole: boolean, count: number, isBig: boolean): Range | null {
  const { line, at } = draft.caret;
  const items = lineAt(draft, line);
  if (items.length === 0) return { from: draft.caret, to: draft.caret, isLines: false };
  const [start] = runAt(items, at, isBig);
  let end = start;
  const take = (): void => {
    if (end < items.length) [, end] = runAt(items, end, isBig);
  };
  for (let left = count; left > 0; left -= 1) {
    const beginsBlank = isBlank(items[end]);
    take();
    if (isWhole && (beginsBlank || isBlank(items[end]))) take();
  }
  const lacksBlank = isWhole && !isBlank(items[start]) && !isBlank(items[end - 1]);
  const from = lacksBlank && isBlank(items[start - 1]) ? runAt(items, start - 1, isBig)[0] : start;
  return { from: { line, at: from }, to: { line, at: end }, isLines: false };
}

function runAt(items: Line, at: number, isBig: boolean): [start: number, end: number] {
  const kind = kindOf(items[at] ?? "", isBig);
  const isOther = (item: Line[number]): boolean => kindOf(item, isBig) !== kind;
  const start = items.slice(0, at).findLastIndex(isOther) + 1;
  const after = items.slice(at).findIndex(isOther);
  return [start, after === -1 ? items.length : at + after];
}

/** Lines without an empty one between them; a whole block has the empty lines behind it, or else those before it. */
function blockAt(draft: Draft, isWhole: boolean, count: number): Range | null {
  const { lines, caret } = draft;
  const isEmpty = (at: number): boolean => lineAt(draft, at).length === 0;
  const isLike = (at: number, empty: boolean): boolean => lines[at] !== undefined && isEmpty(at) === empty;
  let first = caret.line;
  while (isLike(first - 1, isEmpty(caret.line))) first -= 1;
  let end = first;
  const runs = isWhole ? count * 2 : count;
  let taken = 0;
  for (; taken < runs && end < lines.length; taken += 1) {
    const empty = isEmpty(end);
    while (isLike(end, empty)) end += 1;
  }
  if (isWhole && taken < runs) while (isLike(first - 1, true)) first -= 1;
  return { from: { line: first, at: 0 }, to: { line: end - 1, at: 0 }, isLines: true };
}

/** Between two signs of one line: those around the caret, or the next. */
function quoted(sign: string): TextObject {
  return (draft, isWhole) => {
    const { line, at } = draft.caret;
    const items = lineAt(draft, line);
    const signs = items.flatMap((item, index) => (item === sign && items[index - 1] !== "\\" ? [index] : []));
    for (let pair = 0; pair + 1 < signs.length; pair += 2) {
      const [open = 0, close = 0] = [signs[pair], signs[pair + 1]];
      if (close < at) continue;
      const [from, to] = isWhole ? withBlanks(items, open, close + 1) : [open + 1, close];
      return { from: { line, at: from }, to: { line, at: to }, isLines: false };
    }
    return null;
  };
}

function withBlanks(items: Line, from: number, to: number): [from: number, to: number] {
  let [start, end] = [from, to];
  while (isBlank(items[end])) end += 1;
  if (end === to) while (isBlank(items[start - 1])) start -= 1;
  return [start, end];
}

/** The same object by either bracket, and by its letter. */
function bracketed(opener: string, closer: string, letter?: string): Record<string, TextObject> {
  const object: TextObject = (draft, isWhole, count) => {
    const pair = bracketsAround(draft, opener, closer, count);
    if (pair === null) return null;
    const [open, close] = pair;
    if (isWhole) return { from: open, to: { line: close.line, at: close.at + 1 }, isLines: false };
    const opensLine = lineAt(draft, open.line).length === open.at + 1;
    const closesLine = lineAt(draft, close.line).slice(0, close.at).every(isBlank);
    if (close.line > open.line + 1 && opensLine && closesLine)
      return { from: { line: open.line + 1, at: 0 }, to: { line: close.line - 1, at: 0 }, isLines: true };
    return { from: { line: open.line, at: open.at + 1 }, to: close, isLines: false };
  };
  return { [opener]: object, [closer]: object, ...(letter === undefined ? {} : { [letter]: object }) };
}

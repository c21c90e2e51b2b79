import { type Draft, isBefore, type Place } from "../draft.ts";
import type { Operator, Subject } from "./commands.ts";
import { type Find, motions, type Target } from "./motions.ts";
import { objects } from "./objects.ts";
import { firstWritten, isBlank, lineAt, type Range, type Spot, spotsOf, spotUnder, startsWord } from "./spots.ts";

export interface Selection {
  readonly anchor: Place;
  readonly isLines: boolean;
}

/** What an operator works on; `null`: there is nothing of that kind. */
export function rangeOf(
  draft: Draft,
  operator: Operator,
  subject: Subject,
  {
    count,
    find,
    selection,
  }: { readonly count: number | null; readonly find: Find | null; readonly selection: Selection },
): Range | null {
  switch (subject.type) {
    case "lines": {
      const { line } = draft.caret;
      const last = Math.min(draft.lines.length - 1, line + (count ?? 1) - 1);
      return { from: { line, at: 0 }, to: { line: last, at: 0 }, isLines: true };
    }
    case "selection":
      return selectionRange(draft, selection.isLines || subject.isLines, selection.anchor);
    case "object":
      return objects[subject.name]?.(draft, subject.isWhole, count ?? 1) ?? null;
    case "motion": {
      const name = changesWord(draft, operator, subject.name);
      if (name !== subject.name) return restOfWord(draft, name === "E", count ?? 1);
      const target = motions[name]?.({ draft, count, letter: subject.letter, find }) ?? null;
      return target === null ? null : motionRange(draft, name, target);
    }
  }
}

export function selectionRange(draft: Draft, isLines: boolean, anchor: Place): Range {
  const { caret } = draft;
  const [from, last] = isBefore(anchor, caret) ? [anchor, caret] : [caret, anchor];
  const { length } = lineAt(draft, last.line);
  return { from: clamped(draft, from), to: { line: last.line, at: Math.min(length, last.at + 1) }, isLines };
}

function clamped(draft: Draft, { line, at }: Place): Place {
  return { line, at: Math.min(at, lineAt(draft, line).length) };
}

/** Where the caret is in a word, `cw` leaves the blanks behind it. */
function changesWord(draft: Draft, operator: Operator, name: string): string {
  const isOnBlank = isBlank(lineAt(draft, draft.caret.line)[draft.caret.at] ?? " ");
  if (operator !== "c" || isOnBlank) return name;
  return name === "w" ? "e" : name === "W" ? "E" : name;
}

/** To the end of the word under the caret, and of those behind it. */
function restOfWord(draft: Draft, isBig: boolean, count: number): Range {
  const { caret } = draft;
  const spots = spotsOf(draft, isBig);
  const here = spotUnder(spots, caret);
  const next = spots[here + 1];
  const isAtEnd = next === undefined || next.line !== caret.line || next.kind !== spots[here]?.kind;
  const left = isAtEnd ? count - 1 : count;
  const aim = { draft, count: left, letter: "", find: null };
  const target = left === 0 ? null : (motions[isBig ? "E" : "e"]?.(aim) ?? null);
  const { line, at } = target?.place ?? caret;
  return { from: caret, to: { line, at: at + 1 }, isLines: false };
}

function motionRange(draft: Draft, name: string, { place, type }: Target): Range | null {
  const { caret } = draft;
  const [from, to] = isBefore(caret, place) ? [caret, place] : [place, caret];
  if (type === "lines") return { from, to, isLines: true };
  if (type === "inclusive") return { from, to: { line: to.line, at: to.at + 1 }, isLines: false };
  const isByWord = name === "w" || name === "W";
  const end = isByWord ? lastWordEnd(draft, from, to) : to;
  return end.at === 0 && end.line > from.line ? lineBefore(draft, from, end) : { from, to: end, isLines: false };
}

/** Up to the beginning of a line means: up to the end of the one before; whole lines, where nothing is written before. */
function lineBefore(draft: Draft, from: Place, to: Place): Range {
  const line = to.line - 1;
  const start = lineAt(draft, from.line);
  const isWhole = from.at === 0 || from.at <= firstWritten(start);
  return { from, to: { line, at: lineAt(draft, line).length }, isLines: isWhole };
}

/** A word at the end of its line is taken without the end of the line. */
function lastWordEnd(draft: Draft, from: Place, to: Place): Place {
  if (to.line === from.line) return to;
  const spots = spotsOf(draft, false);
  const isPast = to.at >= lineAt(draft, to.line).length;
  const [first, end] = [spotUnder(spots, from), isPast ? spots.length : spotUnder(spots, to)];
  const isWord = (spot: Spot, at: number): boolean => startsWord(spots, at) || spot.kind === "empty";
  const word = spots.findLast((spot, at) => at >= first && at < end && isWord(spot, at));
  const last = word?.line ?? from.line;
  const isOverEmpty = word?.kind === "empty";
  return last === to.line || isOverEmpty ? to : { line: last, at: lineAt(draft, last).length };
}

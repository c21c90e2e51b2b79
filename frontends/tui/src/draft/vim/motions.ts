import type { Draft, Line, Place } from "../draft.ts";
import { endsWord, firstWritten, lineAt, type Spot, spotsOf, spotUnder, startsWord } from "./spots.ts";
import { blockEdge, otherBracket } from "./blocks.ts";

/** What `f`, `F`, `t` or `T` looked for last. */
export interface Find {
  readonly key: FindKey;
  readonly letter: string;
}

export type FindKey = "f" | "F" | "t" | "T";

/** What a motion has to go by. */
export interface Aim {
  readonly draft: Draft;
  /** `null`: none was typed. */
  readonly count: number | null;
  /** Behind `f` and the like. */
  readonly letter: string;
  readonly find: Find | null;
}

/** `exclusive`: without the letter that it leads to; `lines`: whole lines are meant. */
export interface Target {
  readonly place: Place;
  readonly type: "exclusive" | "inclusive" | "lines";
}

/** `null`: there is no such place. */
export type Motion = (aim: Aim) => Target | null;

export const motions: Readonly<Record<string, Motion>> = {
  h: ({ draft: { caret }, count }) =>
    caret.at === 0 ? null : exclusive({ line: caret.line, at: Math.max(0, caret.at - (count ?? 1)) }),
  l: ({ draft, count }) => {
    const { line, at } = draft.caret;
    return exclusive({ line, at: Math.min(lineAt(draft, line).length, at + (count ?? 1)) });
  },
  j: ({ draft, count }) => byLine(draft, count ?? 1),
  k: ({ draft, count }) => byLine(draft, -(count ?? 1)),
  "0": ({ draft }) => exclusive({ line: draft.caret.line, at: 0 }),
  "^": ({ draft }) => {
    const { line } = draft.caret;
    return exclusive({ line, at: firstWritten(lineAt(draft, line)) });
  },
  $: ({ draft, count }) => {
    const line = Math.min(draft.lines.length - 1, draft.caret.line + (count ?? 1) - 1);
    const { length } = lineAt(draft, line);
    return length === 0 ? exclusive({ line, at: 0 }) : inclusive({ line, at: length - 1 });
  },
  _: ({ draft, count }) => toLine(draft, draft.caret.line + (count ?? 1) - 1),
  gg: ({ draft, count }) => toLine(draft, (count ?? 1) - 1),
  G: ({ draft, count }) => toLine(draft, (count ?? draft.lines.length) - 1),
  w: (aim) => wordStart(aim, false),
  W: (aim) => wordStart(aim, true),
  b: (aim) => wordBefore(aim, false, startsWord),
  B: (aim) => wordBefore(aim, true, startsWord),
  e: (aim) => wordEnd(aim, false),
  E: (aim) => wordEnd(aim, true),
  ge: (aim) => included(wordBefore(aim, false, endsWordOrEmpty)),
  gE: (aim) => included(wordBefore(aim, true, endsWordOrEmpty)),
  f: (aim) => found(aim, { key: "f", letter: aim.letter }, false),
  F: (aim) => found(aim, { key: "F", letter: aim.letter }, false),
  t: (aim) => found(aim, { key: "t", letter: aim.letter }, false),
  T: (aim) => found(aim, { key: "T", letter: aim.letter }, false),
  ";": (aim) => (aim.find === null ? null : found(aim, aim.find, true)),
  ",": (aim) => (aim.find === null ? null : found(aim, { ...aim.find, key: opposites[aim.find.key] }, true)),
  "}": ({ draft, count }) => exclusive(blockEdge(draft, 1, count ?? 1)),
  "{": ({ draft, count }) => exclusive(blockEdge(draft, -1, count ?? 1)),
  "%": ({ draft }) => {
    const place = otherBracket(draft);
    return place === null ? null : inclusive(place);
  },
};

const opposites: Readonly<Record<FindKey, FindKey>> = { f: "F", F: "f", t: "T", T: "t" };

export function isFindKey(key: string): key is FindKey {
  return Object.hasOwn(opposites, key);
}

function exclusive(place: Place): Target {
  return { place, type: "exclusive" };
}

function inclusive(place: Place): Target {
  return { place, type: "inclusive" };
}

function included(target: Target | null): Target | null {
  return target === null ? null : inclusive(target.place);
}

/** Up or down as far as there are lines, at the column that the caret came from. */
function byLine(draft: Draft, by: number): Target | null {
  const { caret, lines } = draft;
  const line = Math.max(0, Math.min(lines.length - 1, caret.line + by));
  if (line === caret.line) return null;
  const last = Math.max(0, lineAt(draft, line).length - 1);
  return { place: { line, at: Math.min(last, draft.goal ?? caret.at) }, type: "lines" };
}

function toLine(draft: Draft, wanted: number): Target {
  const line = Math.max(0, Math.min(draft.lines.length - 1, wanted));
  return { place: { line, at: firstWritten(lineAt(draft, line)) }, type: "lines" };
}

/** Behind the last letter where there is no further word. */
function wordStart({ draft, count }: Aim, isBig: boolean): Target {
  const spots = spotsOf(draft, isBig);
  const at = stepped({ spots, isWanted: startsWord }, spotUnder(spots, draft.caret), count ?? 1);
  const line = draft.lines.length - 1;
  return exclusive(spots[at] === undefined ? { line, at: lineAt(draft, line).length } : placeOf(spots, at));
}

function wordEnd({ draft, count }: Aim, isBig: boolean): Target | null {
  const spots = spotsOf(draft, isBig);
  const here = spotUnder(spots, draft.caret);
  if (here === spots.length - 1 && spots[here]?.kind === "empty") return null;
  const at = Math.min(spots.length - 1, stepped({ spots, isWanted: endsWord }, here, count ?? 1));
  return inclusive(placeOf(spots, at));
}

function wordBefore({ draft, count }: Aim, isBig: boolean, isWanted: typeof startsWord): Target | null {
  const spots = spotsOf(draft, isBig);
  const here = spotUnder(spots, draft.caret);
  return here === 0 ? null : exclusive(placeOf(spots, Math.max(0, stepped({ spots, isWanted }, here, -(count ?? 1)))));
}

function endsWordOrEmpty(spots: readonly Spot[], at: number): boolean {
  return spots[at]?.kind === "empty" || endsWord(spots, at);
}

interface Wanted {
  readonly spots: readonly Spot[];
  readonly isWanted: typeof startsWord;
}

/** The spot of the wanted sort that is so many of them away; outside the list where there are fewer. @param count  below 0: backwards */
function stepped({ spots, isWanted }: Wanted, from: number, count: number): number {
  const by = Math.sign(count);
  let at = from;
  for (let left = Math.abs(count); left > 0 && spots[at] !== undefined; left -= 1) {
    at += by;
    while (spots[at] !== undefined && !isWanted(spots, at)) at += by;
  }
  return at;
}

function placeOf(spots: readonly Spot[], at: number): Place {
  const { line, at: item } = spots[at] ?? { line: 0, at: 0 };
  return { line, at: item };
}

/** @param isAgain  a letter that the caret stands before already is not found once more */
function found({ draft, count }: Aim, { key, letter }: Find, isAgain: boolean): Target | null {
  const { line, at } = draft.caret;
  const items = lineAt(draft, line);
  const by = key === "f" || key === "t" ? 1 : -1;
  const stopsBefore = key === "t" || key === "T";
  const times = count ?? 1;
  const isBeside = stopsBefore && isAgain && items[at + by] === letter && times === 1;
  const place = letterAt(items, letter, isBeside ? at + by : at, times * by);
  if (place === null) return null;
  const target = { line, at: stopsBefore ? place - by : place };
  return by === 1 ? inclusive(target) : exclusive(target);
}

/** @param count  below 0: backwards */
function letterAt(items: Line, letter: string, from: number, count: number): number | null {
  const by = Math.sign(count);
  let at = from;
  for (let left = Math.abs(count); left > 0; left -= 1) {
    at += by;
    while (items[at] !== undefined && items[at] !== letter) at += by;
    if (items[at] === undefined) return null;
  }
  return at;
}

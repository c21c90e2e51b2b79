import { escapeSequences, unfinishedEscapeFrom } from "@capstan/patterns";
import { contextCharacters } from "../limits.ts";
import { readDumps } from "./dump-lines.ts";
import { Pieces, type TextView } from "./text-view.ts";

/** `joined`: line ends are left out, with the blanks of the next line's beginning. */
export type Lines = "joined" | "kept";

/** One way in which a text can say something else than what stands there. */
interface Reading {
  /** Without this, the text says what it says. */
  readonly mark: string | RegExp;
  /** What is read as something else, where lines are kept; its groups are for `decode`. */
  readonly pattern: string;
  /** The same where they are joined. */
  readonly joining: string;
  readonly decode: (found: RegExpExecArray) => string;
  /** The longest that is read as one thing, in characters: so far back its beginning may stand. */
  readonly reach: number;
  /** Where something begins that the end of this text cuts. */
  readonly cutFrom: (tail: string) => number;
  /** Where something begins that a place right behind this text is in the middle of. */
  readonly aroundFrom: (before: string) => number;
}

/** The text as it stands, its lines joined. */
export function joinedView(text: string, from: number): TextView {
  const pieces = new Pieces(text, from);
  for (const found of text.slice(from).matchAll(/[\r\n]+[ \t]*/g)) {
    pieces.add(from + found.index, from + found.index + found[0].length, "");
  }
  return pieces.view(text.length);
}

/** Whether nothing but a dump can be read in another way: printable ASCII without the marks of any reading. One look instead of many. */
export function isPlain(text: string): boolean {
  return !/[^\t\n\r -$'-[\]-~]/.test(text);
}

/**
 * Every other way in which the text can be read from `from` on: none that would say nothing new.
 * @param plain  what {@link isPlain} says of the text
 */
export function readingsOf(
  text: string,
  { from, lines, plain }: { readonly from: number; readonly lines: Lines; readonly plain: boolean },
): readonly TextView[] {
  if (plain) return readDumps(text, from);
  const views = readings.flatMap((reading) => {
    const { mark } = reading;
    const start = outside(text, from, reading);
    const has =
      typeof mark === "string" ? text.includes(mark, start) : mark.test(start === 0 ? text : text.slice(start));
    return has ? viewsOf(text, start, reading, lines) : [];
  });
  return [...views, ...readDumps(text, from)];
}

/** The same place, or where an escape begins that it is in the middle of: half of one reads as something else. */
export function outsideEscapes(text: string, place: number, plain: boolean): number {
  return plain ? place : readings.reduce((at, reading) => Math.min(at, outside(text, place, reading)), place);
}

function outside(text: string, place: number, { aroundFrom, reach }: Reading): number {
  const from = Math.max(0, place - reach);
  return from + aroundFrom(text.slice(from, place));
}

/** With what the end cuts, and without: half an escape reads as something else. */
function viewsOf(text: string, from: number, reading: Reading, lines: Lines): readonly TextView[] {
  const tailFrom = Math.max(from, text.length - reading.reach);
  const openFrom = tailFrom + reading.cutFrom(text.slice(tailFrom));
  const ends = openFrom === text.length ? [openFrom] : [openFrom, text.length];
  return ends.map((end) => ({ ...viewUntil(text, { from, end }, reading, lines), openFrom }));
}

function viewUntil(
  text: string,
  { from, end }: { readonly from: number; readonly end: number },
  reading: Reading,
  lines: Lines,
): TextView {
  const pieces = new Pieces(text, from);
  const pattern = new RegExp(lines === "joined" ? reading.joining : reading.pattern, "gu");
  pattern.lastIndex = from;
  for (let found = pattern.exec(text); found !== null && found.index < end; found = pattern.exec(text)) {
    pieces.add(found.index, found.index + found[0].length, reading.decode(found));
  }
  return pieces.view(end);
}

/** Where the pattern, which ends with the text's end, is found; the text's length when it is not. */
function endingWith(pattern: RegExp): (text: string) => number {
  return (text) => pattern.exec(text)?.index ?? text.length;
}

const lineEnd = String.raw`[\r\n]+[ \t]*`;

const percentEnd = endingWith(/%[0-9A-Fa-f]?$/);
const percent: Reading = {
  mark: "%",
  pattern: "%([0-9A-Fa-f]{2})",
  joining: `${lineEnd}|(?:%0[AaDd])+(?:[ \\t]|%20|%09)*|%([0-9A-Fa-f]{2})`,
  decode: ([, code]) => (code === undefined ? "" : String.fromCharCode(Number.parseInt(code, 16))),
  reach: 4,
  cutFrom: percentEnd,
  aroundFrom: percentEnd,
};

/** Of JSON and JavaScript, of C and `printf`. */
const escapes = String.raw`\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|0?([0-3][0-7]{2})|(["\\/bft]))`;
const cutEscape = String.raw`(?:u[0-9A-Fa-f]{0,3}|x[0-9A-Fa-f]?|[0-7]{1,3})?$`;
const backslash: Reading = {
  mark: "\\",
  pattern: escapes,
  joining: `${lineEnd}|(?:\\\\[nr])+(?:[ \\t]|\\\\t)*|${escapes}`,
  decode: ([, unit, byte, octal, letter]) => {
    if (unit !== undefined || byte !== undefined) return String.fromCharCode(Number.parseInt(unit ?? byte ?? "", 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    return letter === undefined ? "" : (plainLetters[letter] ?? letter);
  },
  // Backslashes may stand in a row.
  reach: 64,
  cutFrom: endingWith(new RegExp(`\\\\${cutEscape}`)),
  // A backslash may be escaped by the one before it.
  aroundFrom: endingWith(new RegExp(`\\\\+${cutEscape}`)),
};
const plainLetters: Readonly<Record<string, string>> = { b: "\b", f: "\f", t: "\t" };

/** Names of what keys are made of. */
const entityNames: Readonly<Record<string, string>> = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", lowbar: "_", hyphen: "-", dash: "-", sol: "/", bsol: "\\", plus: "+", equals: "=",
  colon: ":", period: ".", commat: "@", excl: "!", quest: "?", num: "#", dollar: "$", percnt: "%", ast: "*", semi: ";", comma: ",",
}; // prettier-ignore
const entities = `&(?:#(\\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|(${Object.keys(entityNames).join("|")})(?![A-Za-z]));?`;
const entityEnd = endingWith(/&(?:#(?:\d{0,7}|[xX][0-9A-Fa-f]{0,6})|[a-z]{0,6})?$/);
const entity: Reading = {
  mark: "&",
  pattern: entities,
  joining: `${lineEnd}|${entities}`,
  decode: ([, decimal, hex, name]) => {
    if (name !== undefined) return entityNames[name] ?? "";
    if (decimal === undefined && hex === undefined) return "";
    return String.fromCharCode(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal));
  },
  reach: 12,
  cutFrom: entityEnd,
  aroundFrom: entityEnd,
};

/** What a terminal or a page does not show: colours, controls with NUL, what has no width. Keys become whole without it. */
const unseen = String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Cf}\p{Default_Ignorable_Code_Point}]`;
const bare: Reading = {
  mark: new RegExp(unseen, "u"),
  pattern: `${escapeSequences.source}|${unseen}`,
  joining: `${lineEnd}|${escapeSequences.source}|${unseen}`,
  decode: () => "",
  reach: contextCharacters,
  cutFrom: unseenEnd,
  aroundFrom: unseenEnd,
};

/** Where an escape sequence begins that continues, or half of a character. */
function unseenEnd(text: string): number {
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  if (!/[\u001b\u0080-\u009f\ud800-\udbff]/.test(text)) return text.length;
  const half = /[\ud800-\udbff]$/.exec(text)?.index ?? text.length;
  return Math.min(half, unfinishedEscapeFrom(text));
}

const readings: readonly Reading[] = [percent, backslash, entity, bare];

import { contextCharacters } from "../limits.ts";
import type { TextView } from "./text-view.ts";

/** One way to read the numbers of a dump: what `od`, `hexdump` and `xxd` write. */
interface Notation {
  /** A whole line: what stands before the numbers, then the numbers. */
  readonly line: RegExp;
  readonly number: RegExp;
  /** The bytes of one number, one character each. */
  readonly bytes: (digits: string) => string;
}

/** An address, then the numbers; what follows two blanks or a bar is the dump's own picture of them. Behind a colon, one blank parts them. */
function numberedLine(number: string): RegExp {
  const end = String.raw`(?![0-9A-Za-z])`;
  const coloned = String.raw`[0-9A-Fa-f]{6,16}:((?: ${number}${end})+)`;
  const plain = String.raw`(?:[0-9A-Fa-f]{6,16}(?=[ \t])|(?=[ \t])|(?=[0-9A-Fa-f]+$))((?:[ \t]{0,4}${number}${end})+)`;
  return new RegExp(String.raw`^(?:${coloned}|${plain})(?:[ \t]*$|[ \t]{2}.*$|[ \t]+[|>].*$)`);
}

const hexNumber = "(?:[0-9A-Fa-f]{2}){1,64}";
const octalByte = "[0-3][0-7]{2}";
const octalWord = "[01][0-7]{5}";

const notations: readonly Notation[] = [
  { line: numberedLine(hexNumber), number: /[0-9A-Fa-f]+/g, bytes: fromHex },
  // Words of two, four or eight bytes, the last byte first.
  {
    line: numberedLine("(?:[0-9A-Fa-f]{4}){1,4}"),
    number: /[0-9A-Fa-f]+/g,
    bytes: (digits) => Array.from(fromHex(digits)).toReversed().join(""),
  },
  {
    line: numberedLine(octalByte),
    number: /[0-7]+/g,
    bytes: (digits) => String.fromCharCode(Number.parseInt(digits, 8)),
  },
  {
    line: numberedLine(octalWord),
    number: /[0-7]+/g,
    bytes: (digits) => {
      const word = Number.parseInt(digits, 8);
      return String.fromCharCode(word & 0xff, word >> 8);
    },
  },
  {
    line: numberedLine("[0-9]{1,3}"),
    number: /[0-9]+/g,
    bytes: (digits) => String.fromCharCode(Number(digits) & 0xff),
  },
  // Characters, each four wide.
  {
    line: /^(?:[0-9A-Fa-f]{6,16}|(?= {3}))((?: {3}\S| {2}\\[0abefnrtv]| [0-3][0-7]{2}| {4})+)$/,
    number: / {3}(?:\S| )| {2}\\\S| [0-3][0-7]{2}/g,
    bytes: (field) => (/^ {3}/.test(field) ? field.slice(3) : octalField(field)),
  },
];

/** What the dumps in a text say, each way to read them. A character stands for the whole line it came from. */
export function readDumps(text: string, from: number): readonly TextView[] {
  const start = lineStart(text, from);
  const openFrom = cutLineFrom(text, start);
  if (openFrom === text.length && !hasDump(text, start)) return [];
  const lines = linesOf(text, start);
  // With a line that may continue, and without: half a number reads as something else.
  const whole = lines.filter((line) => line.end < text.length);
  const readings = whole.length === lines.length ? [lines] : [whole, lines];
  return readings.flatMap((each) =>
    notations.flatMap((notation) => readAs(notation, { text, lines: each, openFrom }) ?? []),
  );
}

interface Line {
  readonly start: number;
  readonly end: number;
}

function linesOf(text: string, from: number): readonly Line[] {
  const lines: Line[] = [];
  for (let start = from; start < text.length;) {
    const end = text.indexOf("\n", start);
    lines.push({ start, end: end === -1 ? text.length : end });
    if (end === -1) break;
    start = end + 1;
  }
  return lines;
}

interface Lines {
  readonly text: string;
  readonly lines: readonly Line[];
  readonly openFrom: number;
}

function readAs({ line, number, bytes }: Notation, { text, lines, openFrom }: Lines): TextView | undefined {
  const parts: string[] = [];
  const sources: Line[] = [];
  const starts: number[] = [];
  let length = 0;
  const add = (part: string, source: Line): void => {
    if (part === "") return;
    parts.push(part);
    sources.push(source);
    starts.push(length);
    length += part.length;
  };
  let found = false;
  for (const source of lines) {
    const numbers = numbersIn(source, text, line);
    // What is no dump separates what stands before it from what stands behind; what is cut may still become one.
    if (numbers === undefined && source.end === text.length) continue;
    add(numbers === undefined ? "\n" : (numbers.match(number) ?? []).map(bytes).join("").replaceAll("\0", ""), source);
    found ||= numbers !== undefined;
  }
  if (!found && openFrom === text.length) return undefined;
  const sourceAt = (place: number): Line => sources[lastAtMost(starts, place)] ?? { start: openFrom, end: openFrom };
  return {
    text: parts.join(""),
    startOf: (place) => sourceAt(place).start,
    endOf: (place) => sourceAt(place).end,
    openFrom,
    hasWholeLines: true,
  };
}

function numbersIn({ start, end }: Line, text: string, line: RegExp): string | undefined {
  if (end - start > maxLineCharacters) return undefined;
  const found = line.exec(withoutReturn(text.slice(start, end)));
  return found?.[1] ?? found?.[2];
}

/** What is no dump is passed over quickly: an address with a number, some numbers, or a long one must stand at the beginning of a line. */
const dumpLine =
  /(?:[0-9A-Fa-f]{6,16}:?[ \t]+[0-9A-Fa-f\\]|[ \t]*[0-9A-Fa-f]{16}|[ \t]+[0-9A-Fa-f]{1,8}(?:[ \t]+[0-9A-Fa-f]{1,8}){3}|[0-9A-Fa-f]{6,16} {3}\S(?: {3}| {2}\\| [0-3])| {3}\S(?:(?: {3}| {2}\\)\S| [0-3][0-7]{2}){3})/y;

function hasDump(text: string, from: number): boolean {
  for (let at = from; at < text.length;) {
    dumpLine.lastIndex = at;
    if (mayBeginDump(text, at) && dumpLine.test(text)) return true;
    const end = text.indexOf("\n", at);
    if (end === -1) return false;
    at = end + 1;
  }
  return false;
}

/** An address, a number or a blank: the first sign of every line of a dump. */
function mayBeginDump(text: string, at: number): boolean {
  const code = text.charCodeAt(at) | 0x20;
  return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66) || code === 0x20 || code === 0x29;
}

/** A line that has not come to its end and may be one of a dump: it is read when it is whole. */
function cutLineFrom(text: string, from: number): number {
  const start = Math.max(from, text.lastIndexOf("\n") + 1);
  return text.length - start <= maxLineCharacters && mayBeginDump(text, start) && beginsDump.test(text.slice(start))
    ? start
    : text.length;
}

const beginsDump =
  /^(?:[0-9A-Fa-f]{6,16}:?(?:[ \t]|$)|[0-9A-Fa-f]{16,}$|[ \t]+[0-9A-Fa-f]{2,16}[ \t]+[0-9A-Fa-f]*(?:[ \t]|$)| {3}\S(?: {3}\S| {2}\\| [0-3]))/;

/** The widest line that `od`, `hexdump` and `xxd` write unless an option says otherwise; pure hex may be wider. */
const maxLineCharacters = 256;

function lineStart(text: string, place: number): number {
  return place === 0 ? 0 : Math.max(0, place - contextCharacters, text.lastIndexOf("\n", place - 1) + 1);
}

function lastAtMost(sorted: readonly number[], wanted: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function octalField(field: string): string {
  const digits = field.trim();
  // Line ends and the like: no key holds them.
  return digits.startsWith("\\") ? "\n" : String.fromCharCode(Number.parseInt(digits, 8));
}

/** What hexadecimal digits say, one character a byte. */
export function fromHex(digits: string): string {
  const bytes: string[] = [];
  for (let at = 0; at + 1 < digits.length; at += 2) {
    bytes.push(String.fromCharCode(Number.parseInt(digits.slice(at, at + 2), 16)));
  }
  return bytes.join("");
}

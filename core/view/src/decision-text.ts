import { hiddenCharacters, showCodePoint } from "@capstan/patterns";

/** Longer texts lose their middle before anything else is done: what is shown is far shorter. UTF-16 units. */
const examinedCharacters = 64 * 1024;
/** From so many on, blanks within a line are counted instead of shown; at its beginning they may be an indentation. */
const paddingBlanks = 8;
const indentationBlanks = 40;
const paddingLines = 3;
/** Marks on one letter; more are a flood. */
const shownMarks = 4;

export interface DecisionTextOptions {
  /** UTF-16 units of what is shown, at most, besides the line that says how much is left out. */
  readonly limitCharacters: number;
  /** How to see all of it, such as a command; named where something is left out. */
  readonly whole?: string;
}

/**
 * A text as it is shown to whoever decides on it. Every character shows or is named by its number, padding is counted instead of
 * shown, and what is too long keeps its beginning and its end.
 */
export function decisionText(text: string, { limitCharacters, whole }: DecisionTextOptions): string {
  const half = examinedCharacters / 2;
  const beyond = text.length - examinedCharacters;
  if (beyond <= 0) return withoutMiddle(shown(text), limitCharacters, 0, whole);
  // Each half is more than is shown of it, unless it is all padding, which is then said.
  const head = withoutMiddle(shown(head16(text, half)), limitCharacters, 0, whole);
  const tail = withoutMiddle(shown(tail16(text, half)), limitCharacters, 0, whole);
  return withoutMiddle(`${head}\n${leftOut(beyond, whole)}\n${tail}`, limitCharacters, beyond, whole);
}

/** The same on one line; a line end is shown as `⏎`. */
export function decisionLine(text: string, options: DecisionTextOptions): string {
  return decisionText(text, options).replaceAll("\n", " ⏎ ");
}

function shown(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(emptyLines, (lines) => `⟨${counted(lines.split("\n").length - 1, "empty line")}⟩\n`)
    .replace(blanks, (run, at: number, all: string) => showBlanks(run, at === 0 || all[at - 1] === "\n"))
    .replace(marks, (run) => showMarks(run))
    .replace(hiddenRuns, (run) => showRun(run));
}

const emptyLines = new RegExp(`^(?:[ \\t]*\\n){${paddingLines},}`, "gm");
const blanks = new RegExp(`[ \\t\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u2800\\u3000]{${paddingBlanks},}`, "g");
const marks = new RegExp(`\\p{M}{${shownMarks + 1},}`, "gu");
const hiddenRuns = new RegExp(`(?:${hiddenCharacters.source})+`, "gu");

function showBlanks(run: string, beginsLine: boolean): string {
  return beginsLine && run.length < indentationBlanks && /^[ \t]+$/.test(run)
    ? run
    : `⟨${counted(run.length, /^ +$/.test(run) ? "space" : "blank")}⟩`;
}

function showMarks(run: string): string {
  const all = Array.from(run);
  return `${all.slice(0, shownMarks).join("")}⟨${counted(all.length - shownMarks, "more mark")}⟩`;
}

/** Repetitions are counted, so that a flood stays readable. */
function showRun(run: string): string {
  const parts: string[] = [];
  let last = "";
  let count = 0;
  for (const character of run) {
    if (character === last) {
      count += 1;
      continue;
    }
    if (count > 0) parts.push(showCodePoint(last, count));
    last = character;
    count = 1;
  }
  parts.push(showCodePoint(last, count));
  return parts.join("");
}

function withoutMiddle(text: string, limit: number, beyond: number, whole: string | undefined): string {
  if (text.length <= limit + (beyond > 0 ? leftOut(beyond, whole).length + 2 : 0)) return text;
  const head = head16(text, Math.ceil(limit / 2));
  const tail = tail16(text, Math.floor(limit / 2));
  return `${head}\n${leftOut(text.length - head.length - tail.length + beyond, whole)}\n${tail}`;
}

function leftOut(count: number, whole: string | undefined): string {
  return `⟨${counted(count, "character")} not shown here${whole === undefined ? "" : `; all of it: ${whole}`}⟩`;
}

/** The beginning, never half of a pair. */
function head16(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

function tail16(text: string, length: number): string {
  return text.slice(text.length - length).replace(/^[\udc00-\udfff]/, "");
}

/** `1,998 spaces` */
function counted(count: number, noun: string): string {
  return `${String(count).replace(/\B(?=(\d{3})+$)/g, ",")} ${noun}${count === 1 ? "" : "s"}`;
}

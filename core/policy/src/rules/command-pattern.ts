import { syntaxWords } from "./loose-words.ts";
import { maxPatternCharacters } from "../limits.ts";
import { beginsText, compileRegex, occursInText, type Regex } from "../regex/regex.ts";
import { regexMark } from "./regex-mark.ts";

/**
 * A pattern over one command. Words are joined by NUL, which no word can hold: a space in the pattern is a boundary between
 * words and nothing else is. `pieces` are the texts between the `*`.
 */
export type CommandPattern =
  | { readonly type: "everything" }
  | WordsPattern<"words">
  /** Shell syntax: an allow rule means exactly this script, `*` included; deny and ask rules look for its words. */
  | WordsPattern<"script">
  /** `regex:…`: deny and ask rules look for it anywhere, an allow rule wants it at the beginning of the command. */
  | { readonly type: "regex"; readonly text: string; readonly regex: Regex };

interface WordsPattern<Type extends string> {
  readonly type: Type;
  readonly text: string;
  readonly pieces: readonly string[];
  /** As `occursIn` looks for them. */
  readonly loose: readonly string[];
  /** What `:*` means besides: the last word may continue after a colon, as names of scripts do (`npm run test:unit`). */
  readonly branch?: Pick<WordsPattern<Type>, "pieces" | "loose">;
}

/** From so many words on: a shorter pattern ends with a command, whose name with a colon would be another. */
const branchWords = 3;

/** Reads `npm test`, `npm run *`, `git log:*`, `git commit -m 'a b'`, `regex:…` or a whole script. */
export function compileCommandPattern(pattern: string): CommandPattern | { readonly problem: string } {
  const text = pattern.trim();
  if (text === "") return { problem: "the pattern is empty; leave the parentheses out to mean every command" };
  if (text.length > maxPatternCharacters) return { problem: `the pattern is over ${maxPatternCharacters} characters` };
  if (text.startsWith(regexMark)) {
    const regex = compileRegex(text.slice(regexMark.length));
    return "problem" in regex ? regex : { type: "regex", text, regex };
  }
  if (text === "*" || text === ":*") return { type: "everything" };
  const prefix = text.endsWith(":*") ? text.slice(0, -2) : undefined;
  const source = prefix ?? text;
  if (/:\*(?:\s|$)/.test(source)) return { problem: "`:*` may only stand at the end, as in `git log:*`" };
  const read = readPattern(source);
  if (read === undefined) return scriptPattern(text);
  if (read.type === "open-quote") return { problem: "a quote is not closed" };
  if (prefix === undefined) return wordsPattern("words", text, read.pieces);
  return { ...wordsPattern("words", text, [...read.pieces, ""]), ...branchOf(text, read.pieces) };
}

function branchOf(text: string, pieces: readonly string[]): { readonly branch?: WordsPattern<"words"> } {
  const last = pieces.at(-1) ?? "";
  const words = pieces.join("").split("\0").length - 2;
  if (words < branchWords || !last.endsWith("\0")) return {};
  return { branch: wordsPattern("words", text, [...pieces.slice(0, -1), `${last.slice(0, -1)}:`, ""]) };
}

/**
 * For allow rules: the whole command, from first word to last.
 * @param text  the command's words, joined by `joinWords`
 */
export function coversCommand(pattern: CommandPattern, words: readonly string[], text: string): boolean {
  if (pattern.type === "regex") return beginsText(pattern.regex, shellWords(words));
  if (pattern.type !== "words") return pattern.type === "everything";
  return coversText(pattern.pieces, text) || (pattern.branch !== undefined && coversText(pattern.branch.pieces, text));
}

function coversText([first = "", ...others]: readonly string[], text: string): boolean {
  if (!text.startsWith(first)) return false;
  const last = others.pop();
  if (last === undefined) return text === first;
  const end = findInOrder(text, others, first.length);
  return end !== -1 && text.endsWith(last) && end <= text.length - last.length;
}

/**
 * For deny and ask rules: the command begins so; more words make no difference.
 * @param text  the command's words, joined by `joinWords`
 */
export function startsCommand(pattern: CommandPattern, text: string): boolean {
  if (pattern.type !== "words") return pattern.type === "everything";
  return startsText(pattern.pieces, text) || (pattern.branch !== undefined && startsText(pattern.branch.pieces, text));
}

function startsText([first = "", ...others]: readonly string[], text: string): boolean {
  return text.startsWith(first) && findInOrder(text, others, first.length) !== -1;
}

/**
 * For deny and ask rules: the words occur anywhere in a text that was not understood, the first also as the end of a path
 * (`/bin/rm`), whatever their case. Linear: the earliest place of the first piece leaves most room for the others.
 * @param text  words joined by NUL, in lower case
 */
export function occursIn(pattern: CommandPattern, text: string): boolean {
  if (pattern.type === "everything") return true;
  if (pattern.type === "regex") return occursInText(pattern.regex, text.replaceAll("\0", " "));
  return (
    occursLoosely(pattern.loose, text) || (pattern.branch !== undefined && occursLoosely(pattern.branch.loose, text))
  );
}

function occursLoosely(loose: readonly string[], text: string): boolean {
  const [first = ""] = loose;
  return occursFrom(text, loose, text.indexOf(first)) || occursFrom(text, loose, text.indexOf(`/${first.slice(1)}`));
}

/** @param found  where the first piece is, -1: nowhere */
function occursFrom(text: string, [first = "", ...others]: readonly string[], found: number): boolean {
  return found !== -1 && findInOrder(text, others, found + first.length) !== -1;
}

/** Words as patterns see them: each between NULs. */
export function joinWords(words: readonly string[]): string {
  return `\0${words.map((word) => `${word}\0`).join("")}`;
}

/** Words as a shell would need them, in one line. */
export function shellWords(words: readonly string[]): string {
  return words
    .map((word) => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");
}

/** @returns where the last piece ends; -1 when one is missing */
function findInOrder(text: string, pieces: readonly string[], start: number): number {
  let position = start;
  for (const piece of pieces) {
    const found = text.indexOf(piece, position);
    if (found === -1) return -1;
    position = found + piece.length;
  }
  return position;
}

function scriptPattern(text: string): CommandPattern {
  const pieces = text.split("*").map((piece) => (piece === "" ? "" : syntaxWords(piece)));
  return wordsPattern("script", text, pieces);
}

function wordsPattern<Type extends string>(type: Type, text: string, pieces: readonly string[]): WordsPattern<Type> {
  return { type, text, pieces, loose: pieces.map((piece) => piece.toLowerCase().replace(/\s+/g, "\0")) };
}

type ReadPattern = { readonly type: "read"; readonly pieces: readonly string[] } | { readonly type: "open-quote" };

/** @returns `undefined` when the pattern holds shell syntax */
function readPattern(source: string): ReadPattern | undefined {
  const pieces: string[] = [];
  let piece = "\0";
  let quote = "";
  let inWord = false;
  for (const character of source) {
    if (quote !== "") {
      if (character === quote) quote = "";
      else piece += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      inWord = true;
    } else if (character === " ") {
      if (inWord) piece += "\0";
      inWord = false;
    } else if (character === "*") {
      pieces.push(piece);
      piece = "";
      inWord = true;
    } else {
      if (shellSyntax.has(character)) return undefined;
      piece += character;
      inWord = true;
    }
  }
  if (quote !== "") return { type: "open-quote" };
  // A pattern that ends in `*` is open: what follows the star is anything, boundaries included.
  const isOpen = piece === "" && pieces.length > 0;
  return { type: "read", pieces: [...pieces, isOpen || !inWord ? piece : `${piece}\0`] };
}

const shellSyntax: ReadonlySet<string> = new Set(";&|<>()$`\\\n");

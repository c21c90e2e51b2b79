import { showCodePoint } from "@capstan/patterns";
import type { Rule } from "@capstan/protocol";
import { maxQuotedCharacters } from "./limits.ts";

/** A command as one inert line: words quoted as a shell would need them, invisible characters shown, the middle cut when long. */
export function quoteCommand(words: readonly string[]): string {
  return quoteText(words.map((word) => (plainWord.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" "));
}

/** Any text in backticks as one inert line; what is not printable ASCII becomes `⟨U+202E⟩`. */
export function quoteText(text: string): string {
  return `\`${inertText(text)}\``;
}

/** Any text as one inert line, its middle cut when long. */
export function inertText(text: string): string {
  // Cut first: a megabyte is not worth escaping for a line.
  const cut = text.length <= maxQuotedCharacters ? text : `${text.slice(0, head)}⟨…⟩${text.slice(-tail)}`;
  return cut.replace(/[^ -~⟨…⟩]/gu, (character) => showCodePoint(character));
}

/** A rule as its owner wrote it, with where it came from. */
export function quoteRule(rule: Rule): string {
  return `${rule.source} rule ${quoteText(rule.text)}`;
}

const plainWord = /^[A-Za-z0-9_@%+=:,./-]+$/;
const head = Math.ceil(maxQuotedCharacters / 2);
const tail = Math.floor(maxQuotedCharacters / 2);

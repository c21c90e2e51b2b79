import { hiddenCharacters, showCodePoint } from "@capstan/patterns";

/**
 * Makes text safe and unambiguous on one line of a terminal or a prompt: control, bidi and invisible characters become
 * visible as `⟨U+202E⟩`.
 * @param limitLength  in UTF-16 units; what is longer loses its middle
 */
export function inertText(text: string, limitLength: number): string {
  // Cut first: what is shown of a megabyte is its ends.
  const shown = cutMiddle(text, limitLength)
    .replace(/[\t\n]/g, (character) => showCodePoint(character))
    .replace(hiddenCharacters, (character) => showCodePoint(character));
  return cutMiddle(shown, limitLength);
}

/** Whether a path has a character that must never be in one: control, bidi, line separator, half of a surrogate pair. */
export function hasOddCharacter(path: string): boolean {
  return oddInPaths.test(path);
}

const oddInPaths = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/u;

function cutMiddle(text: string, limitLength: number): string {
  if (text.length <= limitLength) return text;
  const kept = limitLength - 1;
  const head = text.slice(0, Math.ceil(kept / 2));
  const tail = text.slice(text.length - Math.floor(kept / 2));
  return `${head.replace(/[\ud800-\udbff]$/u, "")}…${tail.replace(/^[\udc00-\udfff]/u, "")}`;
}

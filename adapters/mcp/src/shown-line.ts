import { hiddenCharacters, showCodePoint } from "@capstan/patterns";

/** Text that a user decides on, as one line: what would not be seen is shown by its number, and what is too long loses its middle. */
export function shownLine(text: string, limitLength: number): string {
  const shown = cutMiddle(text, limitLength)
    .replace(/[\t\n]/g, (character) => showCodePoint(character))
    .replace(hiddenCharacters, (character) => showCodePoint(character));
  return cutMiddle(shown, limitLength);
}

function cutMiddle(text: string, limitLength: number): string {
  if (text.length <= limitLength) return text;
  const kept = limitLength - 1;
  const head = text.slice(0, Math.ceil(kept / 2)).replace(/[\ud800-\udbff]$/u, "");
  const tail = text.slice(text.length - Math.floor(kept / 2)).replace(/^[\udc00-\udfff]/u, "");
  return `${head}…${tail}`;
}

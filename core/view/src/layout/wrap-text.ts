import { cutText } from "./row.ts";
import { textWidth } from "./text-width.ts";

/** What a row keeps of its width at least, however far it is indented. */
const minColumns = 16;
const hangingColumns = 2;

/**
 * A line in rows that end between words, each but the first a little further in. Blanks inside a row stay as they are; a word that
 * is wider than a row is left to the terminal, which a copy of it does not show.
 * @param text  inert, of one line
 */
export function wrapText(text: string, columns: number): readonly string[] {
  const lead = /^ */.exec(text)?.[0].length ?? 0;
  const indent = " ".repeat(Math.max(0, Math.min(lead + hangingColumns, columns - minColumns)));
  const rows: string[] = [];
  let rest = text;
  while (textWidth(rest) > columns) {
    const at = breakOf(rest, columns);
    if (at === -1) break;
    rows.push(rest.slice(0, at).trimEnd());
    rest = indent + rest.slice(at).trimStart();
  }
  return [...rows, rest];
}

/** The last blank that ends a row, or the first after it; not one that only blanks stand before or behind. */
function breakOf(text: string, columns: number): number {
  const first = text.search(/\S/);
  const end = text.trimEnd().length;
  const room = cutText(text, columns).length;
  const inside = text.lastIndexOf(" ", room);
  const at = inside > first ? inside : text.indexOf(" ", Math.max(first, room));
  return at < end ? at : -1;
}

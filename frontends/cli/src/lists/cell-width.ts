/** Letters of East Asian scripts and pictures take two cells of a terminal. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;
/** Marks that stand on the letter before them. */
const none = /^(?:\p{Mn}|\p{Me}|\u200D)/u;

/** Cells that a text takes on a terminal. */
export function cellWidth(text: string): number {
  if (/^[\x20-\x7E]*$/.test(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemesOf(text)) width += widthOf(grapheme);
  return width;
}

/** The text, or as much of it as has room, with `…` at its end. */
export function cutToWidth(text: string, width: number): string {
  if (cellWidth(text) <= width) return text;
  let cut = "";
  let used = 0;
  for (const grapheme of graphemesOf(text)) {
    used += widthOf(grapheme);
    if (used > width - 1) break;
    cut += grapheme;
  }
  return `${cut.trimEnd()}…`;
}

function graphemesOf(text: string): readonly string[] {
  return Array.from(new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text), ({ segment }) => segment);
}

function widthOf(grapheme: string): number {
  if (none.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}

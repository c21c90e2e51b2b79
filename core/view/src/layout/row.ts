import { textCells, textWidth } from "./text-width.ts";

/** What a piece of a row is: each screen has its own colours for it. */
export type Role =
  | "strong"
  | "emphasis"
  | "strike"
  | "link"
  | "code"
  | "muted"
  | "good"
  | "bad"
  | "warning"
  | "accent"
  | "user"
  | "added"
  | "removed"
  /** What of a changed line differs. */
  | "added-mark"
  | "removed-mark"
  | "selected";

/** Inert text without line ends, and what it is; none: plain. */
export interface RowSpan {
  readonly text: string;
  readonly roles: readonly Role[];
}

/** One row of a screen. */
export type Row = readonly RowSpan[];

/** A row of one piece. */
export function rowOf(text: string, ...roles: readonly Role[]): Row {
  return text === "" ? [] : [{ text, roles }];
}

/** Cells that a row takes. */
export function rowWidth(row: Row): number {
  return row.reduce((sum, { text }) => sum + textWidth(text), 0);
}

export function rowText(row: Row): string {
  return row.map(({ text }) => text).join("");
}

/** The row, or as much of it as has room, with `…` at its end. */
export function cutRow(row: Row, columns: number): Row {
  if (rowWidth(row) <= columns) return row;
  const cut: RowSpan[] = [];
  let room = columns - 1;
  for (const { text, roles } of row) {
    const part = cutText(text, room);
    if (part !== "") cut.push({ text: part, roles });
    if (part.length < text.length) return columns < 1 ? [] : [...cut, { text: "…", roles }];
    room -= textWidth(text);
  }
  return cut;
}

/** The beginning of a text that has room, without a mark. */
export function cutText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let cut = "";
  let used = 0;
  for (const [grapheme, width] of textCells(text)) {
    used += width;
    if (used > columns) break;
    cut += grapheme;
  }
  return cut;
}

/** The text, or as much of it as has room, with `…` at its end in place of the blanks there. */
export function shortText(text: string, columns: number): string {
  return textWidth(text) <= columns ? text : `${cutText(text, columns - 1).trimEnd()}…`;
}

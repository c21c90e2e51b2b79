import { type Row, rowText, rowWidth, textCells } from "@capstan/view";
import { paintRow, type Theme } from "./theme.ts";

/** A row as it was sent, with the cells that it takes. */
export interface PaintedRow {
  readonly text: string;
  readonly width: number;
  /** Without what colours it. */
  readonly plain: string;
}

export function painted(row: Row, theme: Theme, asSent: (text: string) => string): PaintedRow {
  const sent = row.map(({ text, roles }) => ({ text: asSent(text), roles }));
  return { text: paintRow(sent, theme), width: rowWidth(sent), plain: rowText(sent) };
}

/** The text alone: of a row that is written once, nothing else is asked. */
export function paintedText(row: Row, theme: Theme, asSent: (text: string) => string): string {
  return paintRow(
    row.map(({ text, roles }) => ({ text: asSent(text), roles })),
    theme,
  );
}

/** Lines that a row, or its first `cells` cells, takes where a terminal has made it narrower. A wide letter is never cut in two. */
export function linesAt({ plain }: PaintedRow, columns: number, cells: number = Number.POSITIVE_INFINITY): number {
  let [lines, column, seen] = [1, 0, 0];
  for (const [, width] of textCells(plain)) {
    if (seen >= cells) break;
    if (column + width > columns) [lines, column] = [lines + 1, 0];
    column += width;
    seen += width;
  }
  return lines;
}

/**
 * A row written over what stood there. The line is erased whole first: where only its rest is, some terminals remember how wide it
 * was, and break it when they are made narrower.
 */
export function overwritten({ text }: PaintedRow): string {
  return `\u001b[2K${text}`;
}

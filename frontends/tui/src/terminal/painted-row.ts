import { type Row, rowText, rowWidth, textCells } from "@capstan/view";
import { paintRow, type Theme } from "./theme.ts";

/** A row as it was sent, with the cells that it takes. */
export interface PaintedRow {
  readonly text: string;
  readonly width: number;
  /** Without what colours it. */
  readonly plain: string;
  /** Its spans one by one. */
  readonly parts: readonly PaintedPart[];
}

type PaintedPart = Pick<PaintedRow, "text" | "width" | "plain">;

export function painted(row: Row, theme: Theme, asSent: (text: string) => string): PaintedRow {
  const sent = row.map(({ text, roles }) => ({ text: asSent(text), roles }));
  const parts = sent.map((span) => ({ text: paintRow([span], theme), width: rowWidth([span]), plain: span.text }));
  const width = parts.reduce((sum, part) => sum + part.width, 0);
  return { text: parts.map(({ text }) => text).join(""), width, plain: rowText(sent), parts };
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
export function overwritten({ text, width, parts }: PaintedRow, old: PaintedRow | undefined): Overwritten {
  const changed = old === undefined || old.width !== width ? null : untilLastChange(parts, old.parts);
  if (changed === null) return { bytes: `\u001b[2K${text}`, width };
  return {
    bytes: changed.map((part) => part.text).join(""),
    width: changed.reduce((sum, part) => sum + part.width, 0),
  };
}

/** What is sent from the beginning of a row on, and the cells that it takes. */
interface Overwritten {
  readonly bytes: string;
  readonly width: number;
}

/**
 * The spans to the last one that differs, where the rest stays where it stands: a spinner moves alone. `null`: every terminal must take
 * as many cells for what differs as it took before, and that is certain of few letters.
 */
function untilLastChange(parts: readonly PaintedPart[], old: readonly PaintedPart[]): readonly PaintedPart[] | null {
  if (parts.length !== old.length) return null;
  const end = parts.findLastIndex(({ text }, at) => text !== old[at]?.text) + 1;
  const fits = parts.slice(0, end).every((part, at) => {
    const before = old[at];
    if (before === undefined || part.text === before.text) return true;
    return part.width === before.width && isCertain.test(part.plain) && isCertain.test(before.plain);
  });
  return fits && isCertain.test(parts[end]?.plain.slice(0, 1) ?? "") ? parts.slice(0, end) : null;
}

/** One cell in every terminal: ASCII and the dots of spinners. */
const isCertain = /^[ -~\u2800-\u28ff]*$/;

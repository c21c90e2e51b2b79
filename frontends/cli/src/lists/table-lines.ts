import { shortText, textWidth } from "@capstan/view";

/** A column of a list. */
export interface Column<Row> {
  /** One line, inert. */
  text(row: Row): string;
  /** Left out first where the width does not do for all: the higher, the sooner; 0: never. */
  readonly rank: number;
  /** Cut where the width does not do, down to so many cells. */
  readonly minWidth?: number;
}

const gap = "  ";

/**
 * Rows as aligned lines. Where the width does not do, columns are left out by their rank, and then cut.
 * @param width  cells of the screen; `undefined`: whole lines
 */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number | undefined,
): readonly string[] {
  const kept = fitting(rows, columns, width ?? Infinity);
  const widths = cutWidths(rows, kept, width ?? Infinity);
  return rows.map((row) =>
    kept
      .map((column, at) => padded(shortText(column.text(row), widths[at] ?? 0), widths[at] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

/** The columns that have room, each at its least. */
function fitting<Row>(rows: readonly Row[], columns: readonly Column<Row>[], width: number): readonly Column<Row>[] {
  const least = (column: Column<Row>): number => Math.min(widest(rows, column), column.minWidth ?? Infinity);
  const needed = sum(columns.map(least)) + gap.length * (columns.length - 1);
  const last = columns.reduce((found, { rank }) => Math.max(found, rank), 0);
  if (needed <= width || last === 0) return columns;
  return fitting(
    rows,
    columns.filter(({ rank }) => rank !== last),
    width,
  );
}

function cutWidths<Row>(rows: readonly Row[], columns: readonly Column<Row>[], width: number): readonly number[] {
  const natural = columns.map((column) => widest(rows, column));
  let excess = sum(natural) + gap.length * (columns.length - 1) - width;
  return columns.map((column, at) => {
    const own = natural[at] ?? 0;
    if (excess <= 0 || column.minWidth === undefined) return own;
    const cut = Math.max(Math.min(own, column.minWidth), own - excess);
    excess -= own - cut;
    return cut;
  });
}

function widest<Row>(rows: readonly Row[], column: Column<Row>): number {
  return rows.reduce((found, row) => Math.max(found, textWidth(column.text(row))), 0);
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

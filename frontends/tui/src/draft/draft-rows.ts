import { cutText, textWidth } from "@capstan/view";
import { type Draft, type Item, labelOf, type Line, type Place } from "./draft.ts";

export interface RowPlace extends Place {
  readonly end: number;
}

export interface DraftRows {
  readonly rows: readonly string[];
  /** Of each row, the place of its first item, and of what stands behind its last. */
  readonly places: readonly RowPlace[];
  readonly caret: { readonly row: number; readonly column: number };
}

/** Where rows of a line begin, and what each shows. */
interface WrappedLine {
  readonly rows: readonly string[];
  /** Of each row, its first item. */
  readonly starts: readonly number[];
}

/** Lines never change, and few of a draft do between two keys. */
const wrapped = new WeakMap<Line, { readonly columns: number; readonly value: WrappedLine }>();

/**
 * The draft in rows, with the cell of the caret. Words stay whole where they fit.
 * @param columns  cells of a row
 */
export function draftRows({ lines, caret }: Draft, columns: number): DraftRows {
  const all = lines.map((line) => wrap(line, columns));
  const above = all.slice(0, caret.line).reduce((sum, { rows }) => sum + rows.length, 0);
  const line = lines[caret.line] ?? [];
  const at = rowOfPlace(wrap(line, columns), caret.at);
  return {
    rows: all.flatMap(({ rows }) => rows),
    places: all.flatMap(({ starts }, of) =>
      starts.map((start, row) => ({ line: of, at: start, end: starts[row + 1] ?? lines[of]?.length ?? 0 })),
    ),
    caret: { row: above + at, column: Math.min(columns, columnOf(line, wrap(line, columns), caret.at)) },
  };
}

/** To the row above or below, as near as can be to the cell that the caret came from. */
export function movedByRow(draft: Draft, by: -1 | 1, columns: number): Draft {
  const { lines, caret } = draft;
  const line = lines[caret.line] ?? [];
  const here = wrap(line, columns);
  const goal = draft.goal ?? columnOf(line, here, caret.at);
  const row = rowOfPlace(here, caret.at) + by;
  if (row >= 0 && row < here.rows.length)
    return { ...draft, caret: { line: caret.line, at: itemAt(line, here, row, goal) }, goal };
  const next = lines[caret.line + by];
  if (next === undefined) return draft;
  const there = wrap(next, columns);
  const at = itemAt(next, there, by === 1 ? 0 : there.rows.length - 1, goal);
  return { ...draft, caret: { line: caret.line + by, at }, goal };
}

/** Whether the caret stands in the first or last row, so that a move leads out of the draft. */
export function isAtEdge(draft: Draft, by: -1 | 1, columns: number): boolean {
  const moved = movedByRow(draft, by, columns);
  return moved === draft;
}

function wrap(line: Line, columns: number): WrappedLine {
  const known = wrapped.get(line);
  if (known?.columns === columns) return known.value;
  const value = wrapLine(line, columns);
  wrapped.set(line, { columns, value });
  return value;
}

function wrapLine(line: Line, columns: number): WrappedLine {
  const starts = [0];
  let width = 0;
  /** Where the word began that may move to the next row. */
  let word = 0;
  let wordWidth = 0;
  for (const [at, item] of line.entries()) {
    const cells = widthOf(item);
    if (width + cells > columns && width > 0) {
      const start = starts.at(-1) ?? 0;
      const movesWord = word > start && wordWidth + cells <= columns && item !== " ";
      starts.push(movesWord ? word : at);
      width = movesWord ? wordWidth : 0;
      if (!movesWord) [word, wordWidth] = [at, 0];
    }
    width += cells;
    wordWidth += cells;
    if (item === " ") [word, wordWidth] = [at + 1, 0];
  }
  const rows = starts.map((start, at) => {
    const text = line
      .slice(start, starts[at + 1])
      .map(shownItem)
      .join("");
    // Only a letter or label may be wider than a row by itself, and it has the row to itself.
    const isAlone = (starts[at + 1] ?? line.length) === start + 1;
    return isAlone ? cutText(text, columns) : text;
  });
  return { rows, starts };
}

function rowOfPlace({ starts }: WrappedLine, at: number): number {
  const after = starts.findIndex((start) => start > at);
  return after === -1 ? starts.length - 1 : after - 1;
}

function columnOf(line: Line, { starts }: WrappedLine, at: number): number {
  const start = starts.findLast((known) => known <= at) ?? 0;
  return line.slice(start, at).reduce((sum, item) => sum + widthOf(item), 0);
}

/** The item of a row that stands nearest to a cell. */
function itemAt(line: Line, { starts }: WrappedLine, row: number, goal: number): number {
  const [start = 0, end = line.length] = [starts[row], starts[row + 1]];
  let width = 0;
  for (let at = start; at < end; at += 1) {
    const cells = widthOf(line[at] ?? "");
    if (width + cells > goal) return at;
    width += cells;
  }
  // The place behind a row's last item is the next row's first.
  return starts[row + 1] === undefined ? end : Math.max(start, end - 1);
}

function widthOf(item: Item): number {
  if (typeof item !== "string") return textWidth(labelOf(item));
  if (item.length === 1 && item >= " " && item <= "~") return 1;
  const known = widths.get(item);
  if (known !== undefined) return known;
  if (widths.size >= widthsKept) widths.clear();
  const width = textWidth(shownItem(item));
  widths.set(item, width);
  return width;
}

/** Letters that are looked at with every key, with their cells. */
const widths = new Map<string, number>();
const widthsKept = 4096;

function shownItem(item: Item): string {
  return item === "\t" ? "  " : labelOf(item);
}

import { cutRow, type Role, type Row, rowOf, rowWidth } from "@capstan/view";

/** From this width on, what was stands beside what is. */
const sideBySideColumns = 140;

/** A line of a diff as both halves would show it; of what was removed only the left counts, of what was added only the right. */
export interface SidedLine {
  readonly type: "same" | "removed" | "added" | "note";
  readonly left: Row;
  readonly right: Row;
}

export interface SidedRow {
  readonly row: Row;
  /** So many lines of the diff stand in it. */
  readonly lines: number;
}

/** Whether both halves would have something to say that the other has not. */
export function isSided(lines: readonly Pick<SidedLine, "type">[], columns: number): boolean {
  const has = (type: SidedLine["type"]): boolean => lines.some((line) => line.type === type);
  return columns >= sideBySideColumns && has("removed") && has("added");
}

/** Cells of one half. */
export function halfColumns(columns: number): number {
  return Math.floor((columns - divider.length) / 2);
}

/** Lines of one hunk in two halves: what was removed stands beside what was added in its place. */
export function sidedRows(lines: readonly SidedLine[], columns: number): readonly SidedRow[] {
  const rows: SidedRow[] = [];
  for (let at = 0; at < lines.length;) {
    const removed = runOf(lines, at, "removed");
    const added = runOf(lines, at + removed.length, "added");
    const count = removed.length + added.length;
    for (let place = 0; place < Math.max(removed.length, added.length); place += 1) {
      const [before, after] = [removed[place], added[place]];
      const halves = (before === undefined ? 0 : 1) + (after === undefined ? 0 : 1);
      rows.push({ row: besides(before?.left ?? [], after?.right ?? [], columns), lines: halves });
    }
    const other = lines[at + count];
    at += count;
    if (other === undefined || other.type === "removed" || other.type === "added") continue;
    const row = other.type === "note" ? cutRow(other.left, columns) : besides(other.left, other.right, columns);
    rows.push({ row, lines: 1 });
    at += 1;
  }
  return rows;
}

const divider = "│";

function runOf(lines: readonly SidedLine[], from: number, type: SidedLine["type"]): readonly SidedLine[] {
  const end = lines.findIndex((line, at) => at >= from && line.type !== type);
  return lines.slice(from, end === -1 ? lines.length : end);
}

function besides(left: Row, right: Row, columns: number): Row {
  const half = halfColumns(columns);
  const shown = cutRow(left, half);
  const padding = rowOf(" ".repeat(Math.max(0, half - rowWidth(shown))));
  return [...shown, ...padding, ...rowOf(divider, dividerRole), ...cutRow(right, half)];
}

const dividerRole: Role = "muted";

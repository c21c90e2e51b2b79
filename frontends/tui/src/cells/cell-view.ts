import { cutRow, type Role, type Row, textWidth, wrapRow } from "@capstan/view";

/** How cells are drawn. */
export interface CellView {
  /** Cells of a row. */
  readonly columns: number;
  /** ms since 1970, for what runs. */
  readonly now: number;
  /** Who sits here: their own name is not said. */
  readonly user: string | undefined;
  /** All of what a cell holds: outputs, thinking, diffs; else their beginnings with the true count. */
  readonly isWhole: boolean;
}

/** Text in rows of one role, each behind a blank of the same width as the first one's head. */
export function headedRows(head: string, text: string, columns: number, ...roles: readonly Role[]): readonly Row[] {
  const width = textWidth(head);
  const rows = text.split("\n").flatMap((line) => wrapRow([{ text: line, roles }], Math.max(1, columns - width)));
  return rows.map((row, at) => [{ text: at === 0 ? head : " ".repeat(width), roles }, ...row]);
}

/** Lines set off from ours, so that none can pass for one: what a tool or a vendor wrote. */
export function quotedRows(lines: readonly string[], columns: number, ...roles: readonly Role[]): readonly Row[] {
  return lines.map((line) => [
    { text: "  │ ", roles: ["muted"] },
    ...cutRow([{ text: line.replaceAll("\t", "  "), roles }], Math.max(1, columns - 4)),
  ]);
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

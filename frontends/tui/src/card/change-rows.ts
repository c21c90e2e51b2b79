import { type CardChange, type Row, rowOf, rowWidth } from "@capstan/view";
import { halfColumns, isSided, type SidedLine, sidedRows } from "../cells/side-by-side.ts";

/** A file, with what would happen to it. */
export function changeText({ kind, path, addedLines, removedLines }: CardChange): string {
  return `${kind} ${path} (+${addedLines} −${removedLines})`;
}

/** What would change in a file, as whole lines: somebody decides on them. */
export function changeLines({ lines: changed }: CardChange, columns: number): readonly Row[] {
  const lines = changed.map(({ type, text }): SidedLine => {
    const row = type === "same" ? rowOf(`  ${text}`, "muted") : rowOf(`${type === "added" ? "+" : "-"} ${text}`, type);
    return { type, left: row, right: row };
  });
  // Two halves only where they cut nothing: whoever decides sees every character that one half would show.
  return isSided(lines, columns) && lines.every(({ left }) => rowWidth(left) <= halfColumns(columns))
    ? sidedRows(lines, columns).map(({ row }) => row)
    : lines.map(({ left }) => left);
}

import { type DiffLine, parseDiff, type Role, type Row, rowOf, type RowSpan, cutRow } from "@capstan/view";
import { counted } from "./cell-view.ts";
import { isSided, type SidedLine, type SidedRow, sidedRows } from "./side-by-side.ts";

/** Of a change that is only looked at. */
const shownLines = 24;
const gutterDigits = 4;

/** A diff with line numbers, in two halves where the screen is wide, and marks on what differs within changed lines. */
export function diffRows(diff: string, columns: number, isWhole: boolean): readonly Row[] {
  const { files, linesLeftOut } = parseDiff(diff);
  const hunks = files.flatMap((file) => file.hunks);
  const rows = hunks.flatMap(({ lines }, at): readonly SidedRow[] => [
    ...(at === 0 ? [] : [{ row: rowOf("      ⋮", "muted"), lines: 0 }]),
    ...(isSided(lines, columns)
      ? sidedRows(lines.map(sided), columns)
      : lines.map((line) => ({ row: cutRow(lineRow(line), columns), lines: 1 }))),
  ]);
  const shown = (isWhole ? rows : rows.slice(0, shownLines)).map(({ row }) => row);
  const left = rows.slice(shown.length).reduce((sum, { lines }) => sum + lines, linesLeftOut);
  return left === 0 ? shown : [...shown, [{ text: `      … ${counted(left, "more line")}`, roles: ["muted"] }]];
}

/** What did not change has its number of before on the left, and of now on the right. */
function sided(line: DiffLine): SidedLine {
  const row = lineRow(line);
  return { type: line.type, left: line.type === "same" ? [gutter(line.before), ...row.slice(1)] : row, right: row };
}

function lineRow(line: DiffLine): Row {
  if (line.type === "note") return [{ text: `      ${line.text}`, roles: ["muted"] }];
  const text = line.text.replaceAll("\t", "  ");
  if (line.type === "same") return [gutter(line.after), { text: `  ${text}`, roles: ["muted"] }];
  const [number, mark] = line.type === "added" ? [line.after, "+ "] : [line.before, "- "];
  return [gutter(number), { text: mark, roles: [line.type] }, ...marked(line, text)];
}

/** Marks name places of the line as it is, which holds for lines without tabs. */
function marked(line: Extract<DiffLine, { type: "added" | "removed" }>, text: string): readonly RowSpan[] {
  const plain: readonly Role[] = [line.type];
  if (line.marks === null || text !== line.text) return text === "" ? [] : [{ text, roles: plain }];
  const spans: RowSpan[] = [];
  let at = 0;
  for (const { from, to } of line.marks) {
    if (from > at) spans.push({ text: text.slice(at, from), roles: plain });
    if (to > from) spans.push({ text: text.slice(from, to), roles: [`${line.type}-mark`] });
    at = Math.max(at, to);
  }
  if (at < text.length) spans.push({ text: text.slice(at), roles: plain });
  return spans;
}

function gutter(number: number): RowSpan {
  return { text: ` ${String(number).padStart(gutterDigits)} `, roles: ["muted"] };
}

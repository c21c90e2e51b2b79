import { type DiffLine, parseDiff, type Role, type Row, type RowSpan, cutRow } from "@capstan/view";
import { counted } from "./cell-view.ts";

/** Of a change that is only looked at. */
const shownLines = 24;
const gutterDigits = 4;

/** A unified diff with line numbers, and marks on what differs within changed lines. */
export function diffRows(diff: string, columns: number, isWhole: boolean): readonly Row[] {
  const { files, linesLeftOut } = parseDiff(diff);
  const hunks = files.flatMap((file) => file.hunks);
  const rows = hunks.flatMap((hunk, at) => [
    ...(at === 0 ? [] : [[{ text: "      ⋮", roles: ["muted"] }] satisfies Row]),
    ...hunk.lines.map((line) => cutRow(lineRow(line), columns)),
  ]);
  const shown = isWhole ? rows : rows.slice(0, shownLines);
  const left = rows.length - shown.length + linesLeftOut;
  return left === 0 ? shown : [...shown, [{ text: `      … ${counted(left, "more line")}`, roles: ["muted"] }]];
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

import type { Block, ListItem, Span } from "../markdown/block.ts";
import { type Role, type Row, rowOf, type RowSpan } from "./row.ts";
import { textWidth } from "./text-width.ts";
import { wrapRow } from "./wrap-row.ts";

/** Narrower than this, words are no longer kept whole. */
const minColumns = 8;
const ruleColumns = 40;

/** Blocks of a Markdown text as rows, none wider than `columns` but for code, which stays as it is. */
export function markdownRows(blocks: readonly Block[], columns: number): readonly Row[] {
  return blocks.flatMap((block, at) => (at === 0 ? [] : [[] as Row]).concat(blockRows(block, columns)));
}

function blockRows(block: Block, columns: number): readonly Row[] {
  switch (block.type) {
    case "paragraph":
      return wrapRow(spansOf(block.spans), columns);
    case "heading":
      return wrapRow(
        [{ text: `${"#".repeat(block.level)} `, roles: strong }, ...spansOf(block.spans, strong)],
        columns,
      );
    case "code":
      return block.text.split("\n").map(codeRow);
    case "quote":
      return markdownRows(block.blocks, narrower(columns, 2)).map((row) => [{ text: "│ ", roles: [] }, ...row]);
    case "list":
      return block.items.flatMap((item, at) => itemRows(item, markerOf(block.start, at), columns));
    case "table":
      return tableRows(block, columns);
    case "rule":
      return [rowOf("─".repeat(Math.min(ruleColumns, columns)))];
  }
}

/** A line of a block of code. */
export function codeRow(line: string): Row {
  return line === ""
    ? [{ text: "  ", roles: [] }]
    : [
        { text: "  ", roles: [] },
        { text: line, roles: ["code"] },
      ];
}

const strong: readonly Role[] = ["strong"];

function narrower(columns: number, by: number): number {
  return Math.max(minColumns, columns - by);
}

function markerOf(start: number | null, at: number): string {
  return start === null ? "• " : `${start + at}. `;
}

function itemRows({ isDone, blocks }: ListItem, marker: string, columns: number): readonly Row[] {
  const head = `${marker}${isDone === null ? "" : isDone ? "[x] " : "[ ] "}`;
  const width = textWidth(head);
  const rows = blocks.flatMap((block) => blockRows(block, narrower(columns, width)));
  return (rows.length === 0 ? [[]] : rows).map((row, at) => [
    { text: at === 0 ? head : " ".repeat(width), roles: [] },
    ...row,
  ]);
}

type Table = Extract<Block, { readonly type: "table" }>;

/** In columns where these fit, else each cell on a row of its own behind its column's name. */
function tableRows({ columns: tableColumns, rows }: Table, columns: number): readonly Row[] {
  const heads = tableColumns.map(({ head }) => plainText(head));
  const cells = rows.map((row) => heads.map((_, at) => plainText(row[at] ?? [])));
  const widths = heads.map((head, at) => Math.max(...[head, ...cells.map((row) => row[at] ?? "")].map(textWidth)));
  const whole = widths.reduce((sum, width) => sum + width, 0) + 3 * Math.max(0, widths.length - 1);
  if (whole > columns) {
    return cells.flatMap((row) =>
      row.flatMap((cell, at) => wrapRow([{ text: `${heads[at] ?? ""}: ${cell}`, roles: [] }], columns)),
    );
  }
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => `${cell}${" ".repeat((widths[at] ?? 0) - textWidth(cell))}`)
      .join(" │ ")
      .trimEnd();
  return [rowOf(line(heads), "strong"), ...cells.map((row) => rowOf(line(row)))];
}

function spansOf(spans: readonly Span[], roles: readonly Role[] = []): readonly RowSpan[] {
  return spans.flatMap((span): readonly RowSpan[] => {
    switch (span.type) {
      case "text":
        return [{ text: span.text, roles }];
      case "strong":
      case "emphasis":
      case "strike":
        return spansOf(span.spans, [...roles, span.type]);
      case "code":
        return [{ text: span.text, roles: [...roles, "code"] }];
      case "link":
        return [...spansOf(span.spans, [...roles, "link"]), ...addressOf(span.target)];
      case "image":
        return [{ text: `[image: ${span.text}]`, roles }, ...addressOf(span.target)];
      case "break":
        return [{ text: "\n", roles }];
    }
  });
}

/** What a user might open is shown where the words say something else. */
function addressOf({ address, differs }: { readonly address: string; readonly differs: boolean }): readonly RowSpan[] {
  return differs ? [{ text: ` (${address})`, roles: ["muted"] }] : [];
}

function plainText(spans: readonly Span[]): string {
  return spansOf(spans)
    .map(({ text }) => text)
    .join("")
    .replaceAll("\n", " ");
}

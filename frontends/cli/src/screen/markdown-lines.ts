import { type Block, markdownRows, type Role, type Row } from "@capstan/view";

export interface DrawingOptions {
  /** Cells of a line. */
  readonly columns: number;
  readonly colors: boolean;
}

/** Blocks of a Markdown text as lines of a terminal, none wider than it but for code, which stays as it is. */
export function markdownLines(blocks: readonly Block[], { columns, colors }: DrawingOptions): readonly string[] {
  return markdownRows(blocks, columns).map((row) => paintRow(row, colors));
}

function paintRow(row: Row, colors: boolean): string {
  return row
    .map(({ text, roles }) => {
      const codes = roles.flatMap((role) => styles[role] ?? []);
      return colors && codes.length > 0 ? `\u001b[${codes.join(";")}m${text}\u001b[0m` : text;
    })
    .join("");
}

/** Codes of the terminal for what stands in Markdown. */
const styles: Partial<Readonly<Record<Role, string>>> = {
  strong: "1",
  emphasis: "3",
  strike: "9",
  code: "36",
  link: "4",
  muted: "2",
};

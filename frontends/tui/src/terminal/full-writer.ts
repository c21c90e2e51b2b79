import type { Row } from "@capstan/view";
import { type Frame, hideCursor, showCursor, type Size, synchronized } from "./frame.ts";
import type { WriterOptions } from "./inline-writer.ts";
import { overwritten, painted, type PaintedRow } from "./painted-row.ts";

/** Fills the alternate screen; only rows that differ are sent. */
export class FullWriter {
  readonly #options: WriterOptions;
  #rows: readonly PaintedRow[] = [];
  #size: Size = { columns: 0, rows: 0 };
  #caret: Frame["caret"] = null;
  #isHidden = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** @returns what the terminal is sent; rows beyond the screen are left out */
  paint({ rows, caret }: Frame, size: Size): string {
    const isResized = size.columns !== this.#size.columns || size.rows !== this.#size.rows;
    const next = Array.from({ length: size.rows }, (_, at) => this.#painted(rows[at] ?? []));
    const old = isResized ? [] : this.#rows;
    const changed = next.flatMap((row, at) =>
      old[at]?.text === row.text ? [] : [`\u001b[${at + 1};1H${overwritten(row, old[at]).bytes}`],
    );
    const isMoved = caret?.row !== this.#caret?.row || caret?.column !== this.#caret?.column;
    this.#rows = next;
    this.#size = size;
    this.#caret = caret;
    if (changed.length === 0 && !isMoved && !isResized) return "";
    return synchronized(`${changed.join("")}${this.#place(caret, size)}`);
  }

  #place(caret: Frame["caret"], { columns, rows }: Size): string {
    if (caret === null) {
      const bytes = this.#isHidden ? "" : hideCursor;
      this.#isHidden = true;
      return bytes;
    }
    const [row, column] = [Math.min(caret.row, rows - 1) + 1, Math.min(caret.column, columns - 1) + 1];
    const bytes = `\u001b[${row};${column}H${this.#isHidden ? showCursor : ""}`;
    this.#isHidden = false;
    return bytes;
  }

  #painted(row: Row): PaintedRow {
    return painted(row, this.#options.theme, this.#options.asSent);
  }
}

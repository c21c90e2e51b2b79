import type { Row } from "@capstan/view";
import { type Frame, hideCursor, showCursor, type Size, synchronized } from "./frame.ts";
import { linesAt, overwritten, painted, type PaintedRow, paintedText } from "./painted-row.ts";
import type { Theme } from "./theme.ts";

export interface WriterOptions {
  readonly theme: Theme;
  /** What the terminal is sent for a text: where it has only ASCII, other signs. */
  readonly asSent: (text: string) => string;
}

/**
 * Writes below what stands on the terminal already. Finished rows are written once and become the terminal's own scrollback; the
 * frame stands below them and is changed row by row. Nothing above it is ever touched.
 */
export class InlineWriter {
  readonly #options: WriterOptions;
  /** The frame as it stands on the screen. */
  #rows: readonly PaintedRow[] = [];
  /** Where the cursor stands in it. */
  #at = { row: 0, column: 0 };
  #columns = 0;
  #isHidden = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** @returns what the terminal is sent */
  paint(finished: readonly Row[], { rows, caret }: Frame, { columns, rows: height }: Size): string {
    const all = rows.map((row) => this.#painted(row));
    // What is higher than the screen cannot be changed any more once it is written.
    const lost = Math.max(0, all.length - Math.max(1, height));
    const next = all.length === 0 ? [emptyRow] : all.slice(lost);
    const isResized = this.#columns !== columns && this.#rows.length > 0;
    const begun = isResized ? this.#again(columns) : "";
    this.#columns = columns;
    const body =
      finished.length > 0 || isResized
        ? this.#whole(
            finished.map((row) => paintedText(row, this.#options.theme, this.#options.asSent)),
            next,
          )
        : this.#changed(next);
    this.#rows = next;
    const place = caret === null ? null : { row: Math.max(0, caret.row - lost), column: caret.column };
    return synchronized(`${begun}${body}${this.#toCaret(place)}`);
  }

  /** Takes the frame off the screen; what is written next stands where it stood. */
  clear(): string {
    const bytes = this.#rows.length === 0 ? "" : synchronized(`${this.#to(0)}${eraseBelow}`);
    this.#forget();
    return `${bytes}${this.#isHidden ? showCursor : ""}`;
  }

  /** Leaves the frame standing and goes below it. */
  leave(): string {
    const bytes = this.#rows.length === 0 ? "" : `${this.#to(this.#rows.length - 1)}\r\n`;
    this.#forget();
    return `${bytes}${this.#isHidden ? showCursor : ""}`;
  }

  /** The screen holds nothing of ours any more. */
  #forget(): void {
    this.#rows = [];
    this.#at = { row: 0, column: 0 };
  }

  /** To where the frame begins, which a new width may have moved, and away with it. */
  #again(columns: number): string {
    const { row, column } = this.#at;
    const above = this.#rows.slice(0, row).reduce((sum, line) => sum + linesAt(line, columns), 0);
    const standsOn = this.#rows[row];
    const up = above + (standsOn === undefined ? 0 : linesAt(standsOn, columns, column) - 1);
    this.#forget();
    return `\r${up > 0 ? `\u001b[${up}A` : ""}${eraseBelow}`;
  }

  /** Everything from the top of the frame on. */
  #whole(finished: readonly string[], next: readonly PaintedRow[]): string {
    const rows = [...finished, ...next.map(({ text }) => text)];
    const start = `${this.#rows.length === 0 ? "\r" : this.#to(0)}${eraseBelow}`;
    this.#at = { row: next.length - 1, column: next.at(-1)?.width ?? 0 };
    return `${start}${rows.join("\r\n")}`;
  }

  /** The rows that differ. */
  #changed(next: readonly PaintedRow[]): string {
    let bytes = "";
    const old = this.#rows;
    for (const [at, row] of next.entries()) {
      if (at < old.length && old[at]?.text === row.text) continue;
      bytes += at < Math.max(1, old.length) ? this.#to(at) : this.#append(at);
      const { bytes: sent, width } = overwritten(row, old[at]);
      bytes += sent;
      this.#at = { row: at, column: width };
    }
    if (old.length <= next.length) return bytes;
    return `${bytes}${this.#to(next.length)}\u001b[J`;
  }

  /** A row more at the end, which may scroll the screen. */
  #append(at: number): string {
    return `${this.#to(at - 1)}\r\n`;
  }

  /** To the beginning of a row that stands on the screen. */
  #to(row: number): string {
    const by = row - this.#at.row;
    this.#at = { row, column: 0 };
    return `\r${by < 0 ? `\u001b[${-by}A` : by > 0 ? `\u001b[${by}B` : ""}`;
  }

  #toCaret(caret: { readonly row: number; readonly column: number } | null): string {
    if (caret === null) {
      if (this.#isHidden) return "";
      this.#isHidden = true;
      return hideCursor;
    }
    const column = Math.max(0, Math.min(caret.column, this.#columns - 1));
    const isThere = this.#at.row === caret.row && this.#at.column === column;
    const bytes = isThere ? "" : `${this.#to(caret.row)}${column > 0 ? `\u001b[${column}C` : ""}`;
    this.#at = { row: caret.row, column };
    const shown = this.#isHidden ? showCursor : "";
    this.#isHidden = false;
    return `${bytes}${shown}`;
  }

  #painted(row: Row): PaintedRow {
    return painted(row, this.#options.theme, this.#options.asSent);
  }
}

/**
 * From the beginning of a row on. Where a whole screen is erased in one go, tmux keeps what stood on it in the scrollback: so the
 * row is erased by itself, and then what is below it, from where it was gone back.
 */
const eraseBelow = "\u001b7\u001b[2K\u001b[B\u001b[J\u001b8";

/** A frame has at least a row: the cursor stands in it. */
const emptyRow: PaintedRow = { text: "", width: 0, plain: "", parts: [] };

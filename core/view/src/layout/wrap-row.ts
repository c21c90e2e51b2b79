import type { Role, Row, RowSpan } from "./row.ts";
import { textCells, textWidth } from "./text-width.ts";

/**
 * Words in rows; one that is wider than a row is cut. A line end of the text ends a row, and blanks between words count as one.
 * @param spans  inert; their texts may hold line ends
 * @param columns  cells of a row
 */
export function wrapRow(spans: readonly RowSpan[], columns: number): readonly Row[] {
  if (fits(spans, columns)) return [spans.filter(({ text }) => text !== "")];
  const rows = new RowBuilder(columns);
  for (const word of wordsOf(spans)) {
    if (word === "end") rows.end();
    else rows.add(word);
  }
  return rows.finish();
}

/** Whether the spans are a row as they are. */
function fits(spans: readonly RowSpan[], columns: number): boolean {
  let width = 0;
  let endsBlank = true;
  for (const { text } of spans) {
    if (/[\t\n]| {2}/.test(text) || (endsBlank && text.startsWith(" "))) return false;
    width += textWidth(text);
    if (width > columns) return false;
    endsBlank = text === "" ? endsBlank : text.endsWith(" ");
  }
  return !endsBlank;
}

class RowBuilder {
  readonly #columns: number;
  readonly #rows: Row[] = [];
  #row: RowSpan[] = [];
  #width = 0;

  constructor(columns: number) {
    this.#columns = columns;
  }

  add({ spans, isApart }: Word): void {
    const wide = spans.reduce((sum, { text }) => sum + textWidth(text), 0);
    const gap = this.#width > 0 && isApart ? 1 : 0;
    if (this.#width > 0 && this.#width + gap + wide > this.#columns) this.end();
    else if (gap === 1) this.#push(" ", [], 1);
    for (const span of spans) this.#cells(span);
  }

  end(): void {
    this.#rows.push(this.#row);
    this.#row = [];
    this.#width = 0;
  }

  finish(): readonly Row[] {
    if (this.#row.length > 0 || this.#rows.length === 0) this.#rows.push(this.#row);
    return this.#rows;
  }

  /** A piece that may have to be cut into several rows. */
  #cells({ text, roles }: RowSpan): void {
    const whole = textWidth(text);
    if (this.#width + whole <= this.#columns) return this.#push(text, roles, whole);
    let part = "";
    let partWidth = 0;
    for (const [grapheme, cells] of textCells(text)) {
      if (this.#width + partWidth > 0 && this.#width + partWidth + cells > this.#columns) {
        this.#push(part, roles, partWidth);
        [part, partWidth] = ["", 0];
        this.end();
      }
      part += grapheme;
      partWidth += cells;
    }
    this.#push(part, roles, partWidth);
  }

  #push(text: string, roles: readonly Role[], width: number): void {
    if (text === "") return;
    const last = this.#row.at(-1);
    if (last !== undefined && last.roles === roles) this.#row[this.#row.length - 1] = { text: last.text + text, roles };
    else this.#row.push({ text, roles });
    this.#width += width;
  }
}

interface Word {
  readonly spans: RowSpan[];
  /** A blank stands before it. */
  readonly isApart: boolean;
}

/** A word may be of several roles. */
function wordsOf(spans: readonly RowSpan[]): readonly (Word | "end")[] {
  const words: (Word | "end")[] = [];
  let isApart = true;
  for (const { text, roles } of spans) {
    for (const part of text.split(/(\n|[ \t]+)/)) {
      if (part === "") continue;
      const last = words.at(-1);
      if (part === "\n") words.push("end");
      if (part.trim() === "") isApart = true;
      else if (isApart || last === undefined || last === "end") {
        words.push({ spans: [{ text: part, roles }], isApart: true });
        isApart = false;
      } else last.spans.push({ text: part, roles });
    }
  }
  return words;
}

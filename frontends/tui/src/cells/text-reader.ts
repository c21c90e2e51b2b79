import {
  type AnswerPart,
  appendMarkdown,
  type Block,
  codeRow,
  emptyMarkdown,
  itemsOf,
  markdownRows,
  type MarkdownText,
  type Row,
} from "@capstan/view";
import type { CellView } from "./cell-view.ts";
import { nothingTaken, type PartReader, type Taken } from "./part-reader.ts";

/** Of what was read of a text that is still written. */
const comparedCharacters = 200;

/** The Markdown of an answer. */
export class TextReader implements PartReader {
  readonly type = "text";
  /** As it last was, and how far it was read. */
  #text = "";
  #read = 0;
  #markdown: MarkdownText = emptyMarkdown;
  /** Of the final blocks, how many were handed out; of the code after them, how many characters, and lines. */
  #blocks = 0;
  #code = 0;
  #lines = 0;
  #isOver = false;

  take(part: AnswerPart, isOpen: boolean, view: CellView, characters: number): Taken {
    if (part.type !== "text" || this.#isOver) return nothingTaken;
    const from = this.#read;
    const to = endOfPiece(part.text, from, characters);
    const isBehind = to < part.text.length;
    if (to > from) this.#markdown = appendMarkdown(this.#markdown, part.text.slice(from, to));
    [this.#text, this.#read] = [part.text, to];
    const rows: Row[] = [];
    for (const block of itemsOf(this.#markdown.final, this.#blocks))
      for (const row of this.#final(block, view)) rows.push(row);
    for (const row of isOpen || isBehind ? this.#codeLines() : this.open(view)) rows.push(row);
    this.#isOver = !isOpen && !isBehind;
    return { rows, characters: to - from, isBehind };
  }

  open({ columns }: CellView): readonly Row[] {
    const { open, source } = this.#markdown;
    const shown = this.#isOver || this.#text.trim() === "" ? [] : open;
    if (shown.length === 0) return [];
    if (source.type !== "code") return [[], ...markdownRows(shown, columns)];
    const [code] = shown;
    const rows = code?.type === "code" ? code.text.split("\n").slice(this.#lines).map(codeRow) : [];
    return this.#lines > 0 ? rows : [[], ...rows];
  }

  continues(part: AnswerPart | undefined, isWhole: boolean): boolean {
    if (part?.type !== "text" || part.text.length < this.#read) return false;
    if (part.text === this.#text) return true;
    const from = isWhole ? 0 : Math.max(0, this.#read - comparedCharacters);
    return part.text.startsWith(this.#text.slice(from, this.#read), from);
  }

  #final(block: Block, { columns }: CellView): readonly Row[] {
    const begun = this.#lines;
    this.#blocks += 1;
    [this.#code, this.#lines] = [0, 0];
    if (begun === 0 || block.type !== "code") return [[], ...markdownRows([block], columns)];
    return block.text.split("\n").slice(begun).map(codeRow);
  }

  /** Whole lines of a block of code that is being written. */
  #codeLines(): readonly Row[] {
    const { source } = this.#markdown;
    if (source.type !== "code") return [];
    const lines = source.text.slice(this.#code);
    const end = lines.lastIndexOf("\n");
    if (end === -1) return [];
    const isFirst = this.#lines === 0;
    const rows = lines.slice(0, end).split("\n").map(codeRow);
    this.#code += end + 1;
    this.#lines += rows.length;
    return isFirst ? [[], ...rows] : rows;
  }
}

/** Where the next so many characters end: after a line, where there is one. */
function endOfPiece(text: string, from: number, characters: number): number {
  if (text.length - from <= characters) return text.length;
  if (characters <= 0) return from;
  const limit = from + characters;
  const lineEnd = text.lastIndexOf("\n", limit - 1) + 1;
  if (lineEnd > from) return lineEnd;
  const code = text.charCodeAt(limit - 1);
  return code >= 0xd8_00 && code <= 0xdb_ff ? limit + 1 : limit;
}

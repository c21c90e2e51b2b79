import {
  type AnswerCell,
  type AnswerPart,
  appendMarkdown,
  type Block,
  codeRow,
  emptyMarkdown,
  itemsOf,
  markdownRows,
  type MarkdownText,
  type Row,
  rowOf,
} from "@capstan/view";
import { type CellView, headedRows } from "./cell-view.ts";

/** A whole answer, or all of it that there is. */
export function answerRows(cell: AnswerCell, view: CellView): readonly Row[] {
  const reader = new AnswerReader();
  return [...reader.take(cell, view), ...reader.open(view)];
}

/**
 * Reads an answer while it is written, and hands out each row once, as soon as nothing can change it any more: what was handed out
 * may stand in a terminal's scrollback. Costs what the new text costs.
 */
export class AnswerReader {
  #parts: readonly PartReader[] = [];
  #isOver = false;

  /** Rows that became final with what the cell has now; none for a cell that does not continue what was read. */
  take(cell: AnswerCell, view: CellView): readonly Row[] {
    if (this.#isOver || !this.continues(cell)) return [];
    const isStreaming = cell.state.type === "streaming";
    this.#parts = cell.parts.map((part, at) => {
      const known = this.#parts[at];
      return known?.type === part.type ? known : readerOf(part);
    });
    const last = isStreaming ? cell.parts.length - 1 : cell.parts.length;
    const rows = cell.parts.flatMap((part, at) => this.#parts[at]?.take(part, at >= last, view) ?? []);
    if (isStreaming) return rows;
    this.#isOver = true;
    return [...rows, ...endingRows(cell, view.columns)];
  }

  /** What may still change. */
  open(view: CellView): readonly Row[] {
    return this.#parts.at(-1)?.open(view) ?? [];
  }

  /** Whether the cell holds all that was read, and perhaps more. */
  continues({ parts }: AnswerCell): boolean {
    return this.#parts.every((reader, at) => reader.continues(parts[at]));
  }
}

interface PartReader {
  readonly type: AnswerPart["type"];
  /** Rows that became final; all of them when the part is no longer open. */
  take(part: AnswerPart, isOpen: boolean, view: CellView): readonly Row[];
  open(view: CellView): readonly Row[];
  continues(part: AnswerPart | undefined): boolean;
}

function readerOf(part: AnswerPart): PartReader {
  return part.type === "text" ? new TextReader() : new LineReader(part.type);
}

/** The Markdown of an answer. */
class TextReader implements PartReader {
  readonly type = "text";
  #text = "";
  #markdown: MarkdownText = emptyMarkdown;
  /** Of the final blocks, how many were handed out; of the code after them, how many characters, and lines. */
  #blocks = 0;
  #code = 0;
  #lines = 0;
  #isOver = false;

  take(part: AnswerPart, isOpen: boolean, view: CellView): readonly Row[] {
    if (part.type !== "text" || this.#isOver) return [];
    this.#markdown = appendMarkdown(this.#markdown, part.text.slice(this.#text.length));
    this.#text = part.text;
    const rows: Row[] = [];
    for (const block of itemsOf(this.#markdown.final, this.#blocks)) rows.push(...this.#final(block, view));
    rows.push(...(isOpen ? this.#codeLines() : this.open(view)));
    this.#isOver = !isOpen;
    return rows;
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

  continues(part: AnswerPart | undefined): boolean {
    return part?.type === "text" && part.text.startsWith(this.#text);
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

/** What takes a line while it is written, and stays one. */
class LineReader implements PartReader {
  readonly type: AnswerPart["type"];
  #part: AnswerPart | null = null;
  #isDone = false;

  constructor(type: AnswerPart["type"]) {
    this.type = type;
  }

  take(part: AnswerPart, isOpen: boolean, view: CellView): readonly Row[] {
    this.#part = part;
    // A draft of a call is gone when the call is there.
    if (isOpen || this.#isDone || part.type === "call-draft") return [];
    this.#isDone = true;
    return partRows(part, view);
  }

  open(view: CellView): readonly Row[] {
    return this.#isDone || this.#part === null ? [] : partRows(this.#part, view);
  }

  continues(part: AnswerPart | undefined): boolean {
    return !this.#isDone || part?.type === this.type;
  }
}

function partRows(part: AnswerPart, view: CellView): readonly Row[] {
  const { columns, isWhole } = view;
  switch (part.type) {
    case "thinking": {
      const text = part.text.trim();
      if (text === "") return [];
      if (isWhole) return [[], ...headedRows("∴ ", text, columns, "muted", "emphasis")];
      const [row = []] = headedRows("∴ ", firstLine(text), columns, "muted", "emphasis");
      return [[], row];
    }
    case "call-draft":
      return [rowOf(`◌ writes a call of ${part.tool} (${part.characters} characters)`, "muted")];
    case "vendor-work":
      return headedRows(part.failed ? "✗ " : "▸ ", part.text, columns, part.failed ? "bad" : "muted");
    case "text":
      return [];
  }
}

function firstLine(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return line === text ? line : `${line} …`;
}

function endingRows({ state, sources, parts }: AnswerCell, columns: number): readonly Row[] {
  const cited = sources.flatMap((source, at) => headedRows(`  [${at + 1}] `, source, columns, "muted"));
  switch (state.type) {
    case "streaming":
    case "unknown":
      return cited;
    case "complete":
      return parts.length === 0 && state.reason !== "tool-calls"
        ? [...cited, rowOf("· the answer is empty", "muted")]
        : cited;
    case "abandoned":
      return [...cited, ...headedRows("✗ ", abandonedText(state), columns, "warning")];
  }
}

function abandonedText({ cause, message }: Extract<AnswerCell["state"], { type: "abandoned" }>): string {
  switch (cause) {
    case "failed":
      return `the model call failed${message === undefined ? "" : `: ${message}`}`;
    case "cancelled":
      return "stopped here; this answer is not in the conversation";
    case "process-died":
      return "the process died here; what is shown is all that there was";
  }
}

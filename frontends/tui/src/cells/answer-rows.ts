import { type AnswerCell, type AnswerPart, type Row, rowOf, rowText } from "@capstan/view";
import { type CellView, headedRows } from "./cell-view.ts";
import { nothingTaken, type PartReader, type Taken } from "./part-reader.ts";
import { TextReader } from "./text-reader.ts";

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
  /** Place of the part that is being read. */
  #at = 0;
  #characters = 0;
  #isBehind = false;
  #isOver = false;

  /**
   * Rows that became final with what the cell has now; none for a cell that does not continue what was read.
   * @param characters  of what is new, so much is read; the rest when `take` is called again
   */
  take(cell: AnswerCell, view: CellView, characters: number = Number.POSITIVE_INFINITY): readonly Row[] {
    if (this.#isOver || !this.continues(cell)) return [];
    const isStreaming = cell.state.type === "streaming";
    this.#parts = cell.parts.map((part, at) => {
      const known = this.#parts[at];
      return known?.type === part.type ? known : readerOf(part);
    });
    const last = isStreaming ? cell.parts.length - 1 : cell.parts.length;
    const rows: Row[] = [];
    let room = characters;
    for (const [at, part] of cell.parts.entries()) {
      const reader = this.#parts[at];
      if (reader === undefined) break;
      this.#at = at;
      const read = reader.take(part, at >= last, view, room);
      for (const row of read.rows) rows.push(row);
      room -= read.characters;
      this.#characters += read.characters;
      this.#isBehind = read.isBehind;
      if (read.isBehind) return rows;
    }
    if (isStreaming) return rows;
    this.#isOver = true;
    return [...rows, ...endingRows(cell, view.columns)];
  }

  /** So many were read by now. */
  get characters(): number {
    return this.#characters;
  }

  /** The cell had more than was to be read at once. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** What may still change. */
  open(view: CellView): readonly Row[] {
    return this.#parts[this.#at]?.open(view) ?? [];
  }

  /** Whether the cell holds all that was read, and perhaps more. */
  continues({ parts, state }: AnswerCell): boolean {
    // Of an answer that is still written, text is only added.
    const isWhole = state.type !== "streaming";
    return this.#parts.every((reader, at) => reader.continues(parts[at], isWhole));
  }
}

function readerOf(part: AnswerPart): PartReader {
  return part.type === "text" ? new TextReader() : new LineReader(part.type);
}

/** What takes a line while it is written, and stays one. */
class LineReader implements PartReader {
  readonly type: AnswerPart["type"];
  #part: AnswerPart | null = null;
  /** What was handed out, and as what it was drawn. */
  #done: { readonly text: string; readonly view: CellView } | null = null;

  constructor(type: AnswerPart["type"]) {
    this.type = type;
  }

  take(part: AnswerPart, isOpen: boolean, view: CellView): Taken {
    this.#part = part;
    // A draft of a call is gone when the call is there.
    if (isOpen || this.#done !== null || part.type === "call-draft") return nothingTaken;
    const rows = partRows(part, view);
    this.#done = { text: shownText(rows), view };
    return { ...nothingTaken, rows };
  }

  open(view: CellView): readonly Row[] {
    return this.#done !== null || this.#part === null ? [] : partRows(this.#part, view);
  }

  continues(part: AnswerPart | undefined): boolean {
    if (this.#done === null) return true;
    // A model may complete another thought than the one it streamed.
    return part?.type === this.type && shownText(partRows(part, this.#done.view)) === this.#done.text;
  }
}

function shownText(rows: readonly Row[]): string {
  return rows.map(rowText).join("\n");
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

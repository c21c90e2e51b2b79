import { type AnswerCell, type Cell, cellsFrom, itemAt, type Row, rowOf, type Transcript } from "@capstan/view";
import { AnswerReader } from "../cells/answer-rows.ts";
import { cellRows } from "../cells/cell-rows.ts";
import type { CellView } from "../cells/cell-view.ts";

/**
 * Hands out every row of a transcript once, as soon as nothing can change it any more, in the order of the cells: what was handed out
 * may stand in a terminal's scrollback, where nothing is ever changed.
 */
export class FinishedRows {
  /** Place of the first cell that was not handed out whole. */
  #at: number;
  /** Of the answer at that place, as far as it was. */
  #answer: AnswerReader | null = null;
  #isBehind = false;

  /** @param from  place of the first cell that is handed out */
  constructor(from = 0) {
    this.#at = from;
  }

  /** @param characters  of answers, about so many are read; the rest when `take` is called again */
  take(transcript: Transcript, view: CellView, characters: number = Number.POSITIVE_INFINITY): readonly Row[] {
    const rows: Row[] = [];
    let room = characters;
    const add = (read: Read): void => {
      for (const row of read.rows) rows.push(row);
      room -= read.characters;
    };
    this.#isBehind = false;
    while (this.#at < transcript.settled) {
      const cell = itemAt(transcript.cells, this.#at);
      if (cell !== undefined) add(this.#settled(cell, view, room));
      if (this.#isBehind) return rows;
      this.#answer = null;
      this.#at += 1;
      this.#isBehind = room <= 0 && this.#at < transcript.settled;
      if (this.#isBehind) return rows;
    }
    const open = itemAt(transcript.cells, this.#at);
    if (open?.type === "answer") add(this.#read(open, view, room));
    return rows;
  }

  /** Place of the first cell that was not handed out whole. */
  get at(): number {
    return this.#at;
  }

  /** There was more than was to be read at once. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Rows that may still change: to be asked for after `take`. */
  open(transcript: Transcript, view: CellView): readonly Row[] {
    if (this.#isBehind) return this.#answer?.open(view) ?? [];
    const [first, ...others] = cellsFrom(transcript, this.#at);
    if (first === undefined) return [];
    const begun = first.type === "answer" && this.#answer !== null ? this.#answer.open(view) : cellRows(first, view);
    return [...begun, ...others.flatMap((cell) => cellRows(cell, view))];
  }

  #settled(cell: Cell, view: CellView, characters: number): Read {
    const isReplaced = this.#answer !== null && (cell.type !== "answer" || !this.#answer.continues(cell));
    if (isReplaced) this.#answer = null;
    const read = cell.type === "answer" ? this.#read(cell, view, characters) : wholeCell(cell, view);
    // What stands in the scrollback cannot be taken back.
    const notice = rowOf("↑ this answer does not count: it was begun again", "warning");
    return isReplaced ? { ...read, rows: [notice, ...read.rows] } : read;
  }

  #read(cell: AnswerCell, view: CellView, characters: number): Read {
    this.#answer ??= new AnswerReader();
    const before = this.#answer.characters;
    const rows = this.#answer.take(cell, view, Math.max(1, characters));
    this.#isBehind = this.#answer.isBehind;
    return { rows, characters: this.#answer.characters - before };
  }
}

interface Read {
  readonly rows: readonly Row[];
  readonly characters: number;
}

function wholeCell(cell: Cell, view: CellView): Read {
  return { rows: cellRows(cell, view), characters: 0 };
}

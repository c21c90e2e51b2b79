import { type Cell, cellsFrom, itemAt, type Row, rowOf, type Transcript } from "@capstan/view";
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

  /** @param from  place of the first cell that is handed out */
  constructor(from = 0) {
    this.#at = from;
  }

  take(transcript: Transcript, view: CellView): readonly Row[] {
    const rows: Row[] = [];
    while (this.#at < transcript.settled) {
      const cell = itemAt(transcript.cells, this.#at);
      if (cell !== undefined) rows.push(...this.#whole(cell, view));
      this.#at += 1;
    }
    const open = itemAt(transcript.cells, this.#at);
    if (open?.type !== "answer") return rows;
    this.#answer ??= new AnswerReader();
    return [...rows, ...this.#answer.take(open, view)];
  }

  /** Rows that may still change: to be asked for after `take`. */
  open(transcript: Transcript, view: CellView): readonly Row[] {
    const [first, ...others] = cellsFrom(transcript, this.#at);
    if (first === undefined) return [];
    const begun = first.type === "answer" && this.#answer !== null ? this.#answer.open(view) : cellRows(first, view);
    return [...begun, ...others.flatMap((cell) => cellRows(cell, view))];
  }

  #whole(cell: Cell, view: CellView): readonly Row[] {
    const reader = this.#answer;
    this.#answer = null;
    if (reader === null) return cellRows(cell, view);
    if (cell.type === "answer" && reader.continues(cell)) return reader.take(cell, view);
    // What stands in the scrollback cannot be taken back.
    return [rowOf("↑ this answer does not count: it was begun again", "warning"), ...cellRows(cell, view)];
  }
}

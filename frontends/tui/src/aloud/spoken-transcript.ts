import { type AnswerCell, type Cell, itemAt, rowText, type Transcript, type UserCell } from "@capstan/view";
import { AnswerReader } from "../cells/answer-rows.ts";
import type { CellView } from "../cells/cell-view.ts";
import { plainLines, spokenCell, spokenState, spokenView } from "./spoken-cells.ts";

/** Says a transcript once, line by line, each as soon as it is whole. */
export class SpokenTranscript {
  readonly #isOwn: (cell: UserCell) => boolean;
  readonly #view: CellView;
  /** Place of the first cell of which more may be to say. */
  #at: number;
  /** What was said of the cells from there on. */
  readonly #said = new Map<number, Said>();

  /**
   * @param from  place of the first cell that is said
   * @param user  who listens: their own name is not said
   */
  constructor(from: number, user: string | undefined, isOwn: (cell: UserCell) => boolean) {
    this.#at = from;
    this.#view = { ...spokenView, user };
    this.#isOwn = isOwn;
  }

  take(transcript: Transcript): readonly string[] {
    const { cells, settled } = transcript;
    const lines: string[] = [];
    for (let at = this.#at; at < cells.length; at += 1) {
      const cell = itemAt(cells, at);
      if (cell !== undefined) lines.push(...this.#cell(at, cell));
    }
    for (; this.#at < settled; this.#at += 1) this.#said.delete(this.#at);
    return lines;
  }

  #cell(at: number, cell: Cell): readonly string[] {
    if (cell.type === "answer") return this.#answer(at, cell);
    const state = spokenState(cell);
    if (this.#said.get(at)?.state === state) return [];
    const isReplaced = this.#said.get(at)?.answer?.hasSaid === true;
    this.#said.set(at, { state, answer: null });
    return [...(isReplaced ? [notCounted] : []), ...spokenCell(cell, this.#view, this.#isOwn)];
  }

  #answer(at: number, cell: AnswerCell): readonly string[] {
    const known = this.#said.get(at)?.answer ?? null;
    const isContinued = known?.reader.continues(cell) === true;
    const answer = known !== null && isContinued ? known : { reader: new AnswerReader(), hasSaid: false };
    const rows = answer.reader.take(cell, this.#view);
    const thoughts = rows.filter((row) => rowText(row).trimStart().startsWith("∴"));
    const others = plainLines(rows.filter((row) => !thoughts.includes(row)));
    const lines = [
      ...(known?.hasSaid === true && !isContinued ? [notCounted] : []),
      ...plainLines(thoughts).map((line) => `Thinking: ${line}`),
      // The lines that follow belong to it.
      ...others.map((line, index) => (index === 0 && !answer.hasSaid ? `Answer: ${line}` : line)),
    ];
    const hasSaid = answer.hasSaid || others.length > 0;
    this.#said.set(at, { state: "answer", answer: { reader: answer.reader, hasSaid } });
    return lines;
  }
}

interface Said {
  readonly state: string;
  readonly answer: { readonly reader: AnswerReader; readonly hasSaid: boolean } | null;
}

const notCounted = "Note: that answer does not count; it is begun again.";

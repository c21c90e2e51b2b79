/** A text read in some way, and where each character of it came from. */
export interface TextView {
  readonly text: string;
  /** Where the character at `at` begins in the original. */
  startOf(at: number): number;
  /** Where it ends. */
  endOf(at: number): number;
  /** Where in the original something begins that the end cuts in two; its length when there is nothing. */
  readonly openFrom: number;
  /** Every character stands for the whole line it came from. */
  readonly hasWholeLines: boolean;
}

/** Gathers what is taken over unchanged and what is not, with where it stood. */
export class Pieces {
  readonly #original: string;
  readonly #texts: string[] = [];
  /** Of each piece: where it begins in the view, where in the original, and how wide one character of it is there. */
  readonly #inView: number[] = [];
  readonly #inOriginal: number[] = [];
  readonly #widths: number[] = [];
  #length = 0;
  #from: number;

  constructor(original: string, from: number) {
    this.#original = original;
    this.#from = from;
  }

  /** Puts `instead` in the place of the original's characters from `start` to `end`. */
  add(start: number, end: number, instead: string): void {
    this.#push(this.#original.slice(this.#from, start), this.#from, 1);
    this.#push(instead, start, end - start);
    this.#from = end;
  }

  /** The original's characters up to `end`, and none after it. */
  view(end: number): TextView {
    this.#push(this.#original.slice(this.#from, Math.max(this.#from, end)), this.#from, 1);
    const at = (place: number, characters: number): number => {
      const piece = this.#pieceAt(place);
      const offset = place - (this.#inView[piece] ?? 0) + characters;
      return (this.#inOriginal[piece] ?? 0) + offset * (this.#widths[piece] ?? 1);
    };
    return {
      text: this.#texts.join(""),
      startOf: (place) => at(place, 0),
      endOf: (place) => at(place, 1),
      openFrom: end,
      hasWholeLines: false,
    };
  }

  #push(text: string, original: number, width: number): void {
    if (text === "") return;
    this.#texts.push(text);
    this.#inView.push(this.#length);
    this.#inOriginal.push(original);
    this.#widths.push(width);
    this.#length += text.length;
  }

  /** The last piece that begins at or before that place. */
  #pieceAt(place: number): number {
    let low = 0;
    let high = this.#inView.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#inView[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

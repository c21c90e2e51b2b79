/** A text with its escapes resolved and its line ends left out, and where each character of it came from. */
export interface TextView {
  readonly text: string;
  /** Where the character at `at` begins in the original. */
  startOf(at: number): number;
  /** Where it ends. */
  endOf(at: number): number;
}

/** Which escapes are resolved; line ends, with the blanks of the next line's beginning, are always left out. */
export type Escapes = "none" | "percent" | "backslash";

/** The text read under these escapes from `from` on; `undefined`: the text has none of them, nothing new would be found. */
export function viewText(text: string, from: number, escapes: Escapes): TextView | undefined {
  if (escapes === "percent" && !text.includes("%", from)) return undefined;
  if (escapes === "backslash" && !text.includes("\\", from)) return undefined;
  const end = text.length - (unfinished[escapes]?.exec(text.slice(Math.max(from, text.length - 8)))?.[0].length ?? 0);
  const pieces = new Pieces(text, from);
  const pattern = new RegExp(patterns[escapes]);
  pattern.lastIndex = from;
  for (let found = pattern.exec(text); found !== null && found.index < end; found = pattern.exec(text)) {
    pieces.add(found.index, found.index + found[0].length, decoded(found, escapes));
  }
  return pieces.view(end);
}

const patterns: Readonly<Record<Escapes, RegExp>> = {
  none: /[\r\n]+[ \t]*/g,
  percent: /[\r\n]+[ \t]*|(?:%0[AaDd])+(?:[ \t]|%20|%09)*|%([0-9A-Fa-f]{2})/g,
  backslash: /[\r\n]+[ \t]*|(?:\\[nr])+(?:[ \t]|\\t)*|\\(?:u([0-9A-Fa-f]{4})|(["\\/bft]))/g,
};

/** An escape that the text's end cuts. */
export const unfinished: Readonly<Record<Escapes, RegExp | undefined>> = {
  none: undefined,
  percent: /%[0-9A-Fa-f]?$/,
  backslash: /\\(?:u[0-9A-Fa-f]{0,3})?$/,
};

function decoded(found: RegExpExecArray, escapes: Escapes): string {
  const [, code, letter] = found;
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  if (letter === undefined || escapes !== "backslash") return "";
  return plainLetters[letter] ?? letter;
}

const plainLetters: Readonly<Record<string, string>> = { b: "\b", f: "\f", t: "\t" };

/** Gathers what is taken over unchanged and what is not, with where it stood. */
class Pieces {
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

  view(end: number): TextView {
    this.#push(this.#original.slice(this.#from, Math.max(this.#from, end)), this.#from, 1);
    const at = (place: number, characters: number): number => {
      const piece = this.#pieceAt(place);
      const offset = place - (this.#inView[piece] ?? 0) + characters;
      return (this.#inOriginal[piece] ?? 0) + offset * (this.#widths[piece] ?? 1);
    };
    return { text: this.#texts.join(""), startOf: (place) => at(place, 0), endOf: (place) => at(place, 1) };
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

import { foldLetters } from "./fold-path.ts";

/** A text that many patterns look at; what they need of it is made once. */
export class PatternText {
  readonly text: string;
  #letters: string | undefined;
  #decoded: PatternText | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** By `foldLetters`. */
  get letters(): string {
    this.#letters ??= foldLetters(this.text);
    return this.#letters;
  }

  /** As a URL would mean it; the same object where that is the same text. */
  get decoded(): PatternText {
    if (this.#decoded === undefined) {
      const decoded = percentDecoded(this.text);
      this.#decoded = decoded === this.text ? this : new PatternText(decoded);
    }
    return this.#decoded;
  }
}

/** Some programs decode what looks like a part of a URL before they open it. */
export function percentDecoded(path: string): string {
  if (!path.includes("%")) return path;
  return path.replaceAll(/%([2-7][0-9a-f])/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

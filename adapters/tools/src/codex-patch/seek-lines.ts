import { findFirstMatch } from "../lp1/find-matches.ts";

/** The lines of a file, with what each is compared by. Each way is worked out once, when it is first needed. */
export class SoughtLines {
  readonly lines: readonly string[];
  readonly #keys = new Map<number, readonly string[]>();

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  /**
   * Where lines stand together at or below `from`: exactly; else but for white space at their ends; else but for white space around them;
   * else also but for the kind of dashes, quotes and spaces.
   * @param atEnd  only as the last lines of the file
   * @returns 0-based, or `undefined`
   */
  seek(wanted: readonly string[], from: number, atEnd: boolean): number | undefined {
    if (wanted.length === 0) return from;
    const last = this.lines.length - wanted.length;
    const start = atEnd ? last : from;
    if (last < 0 || start < from || start > last) return undefined;
    for (const [level, keyOf] of keysOf.entries()) {
      const place = findFirstMatch(this.#keysAt(level, keyOf), wanted.map(keyOf), start);
      if (place !== undefined) return place;
    }
    return undefined;
  }

  #keysAt(level: number, keyOf: (line: string) => string): readonly string[] {
    const known = this.#keys.get(level);
    if (known !== undefined) return known;
    const keys = this.lines.map(keyOf);
    this.#keys.set(level, keys);
    return keys;
  }
}

const keysOf: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => withPlainPunctuation(line.trim()),
];

/** Typographic dashes, quotes and spaces as ASCII has them. */
function withPlainPunctuation(text: string): string {
  return text
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll(/[\u2018-\u201B]/g, "'")
    .replaceAll(/[\u201C-\u201F]/g, '"')
    .replaceAll(/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, " ");
}

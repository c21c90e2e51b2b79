import { maxRegexDepth, maxRegexRepeats } from "../limits.ts";
import { type CharacterTest, characterRange, escapedCharacter, namedSet, oneCharacter } from "./character-set.ts";

/** Where in the text an assertion holds. */
export type RegexPlace = "start" | "end" | "boundary" | "no-boundary";

/** A regular expression as a tree. */
export type RegexNode =
  /** `literal`: the only character it takes. */
  | { readonly type: "one"; readonly test: CharacterTest; readonly literal?: string }
  | { readonly type: "place"; readonly place: RegexPlace }
  | { readonly type: "sequence"; readonly parts: readonly RegexNode[] }
  | { readonly type: "either"; readonly branches: readonly RegexNode[] }
  /** `maximum` is `null` for "as often as there are". */
  | { readonly type: "repeat"; readonly node: RegexNode; readonly minimum: number; readonly maximum: number | null };

/**
 * Reads what Python, JavaScript and grep agree on: literals, `.`, sets, groups, `|`, `* + ? {m,n}`, `^ $ \b \B`, `\d \w \s`, and
 * `(?i)`, `(?s)` at the beginning. What needs backtracking (lookaround, back references, possessive and atomic groups) is refused.
 */
export function parseRegex(source: string): RegexNode | { readonly problem: string } {
  const [, flags = ""] = /^\(\?([a-z]+)\)/.exec(source) ?? [];
  const unknown = Array.from(flags).find((flag) => !"is".includes(flag));
  if (unknown !== undefined) return { problem: `the flag \`${unknown}\` is not known; only \`i\` and \`s\` are` };
  try {
    return new Reader(source, flags === "" ? 0 : flags.length + 3, flags).read();
  } catch (error) {
    if (error instanceof RegexProblem) return { problem: error.message };
    throw error;
  }
}

class RegexProblem extends Error {}

class Reader {
  readonly #source: readonly string[];
  readonly #ignoresCase: boolean;
  readonly #any: CharacterTest;
  #position: number;
  #depth = 0;

  constructor(source: string, start: number, flags: string) {
    this.#source = Array.from(source);
    this.#position = start;
    this.#ignoresCase = flags.includes("i");
    this.#any = flags.includes("s") ? () => true : (code) => code !== 10;
  }

  read(): RegexNode {
    const node = this.#either();
    if (this.#peek() !== undefined) throw new RegexProblem("a `)` closes nothing");
    return node;
  }

  #either(): RegexNode {
    const branches = [this.#sequence()];
    while (this.#take("|")) branches.push(this.#sequence());
    const [only] = branches;
    return branches.length === 1 && only !== undefined ? only : { type: "either", branches };
  }

  #sequence(): RegexNode {
    const parts: RegexNode[] = [];
    for (let next = this.#peek(); next !== undefined && next !== "|" && next !== ")"; next = this.#peek())
      parts.push(this.#repeated(this.#atom()));
    return { type: "sequence", parts };
  }

  #repeated(node: RegexNode): RegexNode {
    const bounds = this.#bounds();
    if (bounds === undefined) return node;
    // Which of several matches is found makes no difference: only whether there is one.
    this.#take("?");
    if (this.#peek() === "+") throw new RegexProblem("possessive repeats are not known");
    if (this.#bounds() !== undefined) throw new RegexProblem("two repeats stand one after the other");
    return { type: "repeat", node, ...bounds };
  }

  #bounds(): { readonly minimum: number; readonly maximum: number | null } | undefined {
    if (this.#take("*")) return { minimum: 0, maximum: null };
    if (this.#take("+")) return { minimum: 1, maximum: null };
    if (this.#take("?")) return { minimum: 0, maximum: 1 };
    const rest = this.#source.slice(this.#position, this.#position + 12).join("");
    const [whole, from, comma, to = ""] = /^\{(\d+)(,?)(\d*)\}/.exec(rest) ?? [];
    if (whole === undefined) return undefined;
    this.#position += whole.length;
    const minimum = Number(from);
    const maximum = comma === "" ? minimum : to === "" ? null : Number(to);
    if (Math.max(minimum, maximum ?? 0) > maxRegexRepeats)
      throw new RegexProblem(`more than ${maxRegexRepeats} repeats`);
    if (maximum !== null && maximum < minimum) throw new RegexProblem("the bounds of a repeat are the wrong way round");
    return { minimum, maximum };
  }

  #atom(): RegexNode {
    const character = this.#next();
    switch (character) {
      case "(":
        return this.#group();
      case "[":
        return { type: "one", test: this.#set() };
      case ".":
        return { type: "one", test: this.#any };
      case "^":
        return { type: "place", place: "start" };
      case "$":
        return { type: "place", place: "end" };
      case "\\":
        return this.#escape();
      case "*":
      case "+":
      case "?":
        throw new RegexProblem(`\`${character}\` repeats nothing`);
      default:
        return this.#literal(character);
    }
  }

  #literal(character: string): RegexNode {
    const test = oneCharacter(character.codePointAt(0) ?? 0, this.#ignoresCase);
    return this.#ignoresCase ? { type: "one", test } : { type: "one", test, literal: character };
  }

  #group(): RegexNode {
    this.#depth += 1;
    if (this.#depth > maxRegexDepth) throw new RegexProblem(`groups more than ${maxRegexDepth} deep`);
    if (this.#take("?")) this.#groupKind();
    const node = this.#either();
    if (!this.#take(")")) throw new RegexProblem("a `(` is not closed");
    this.#depth -= 1;
    return node;
  }

  #groupKind(): void {
    const rest = this.#source.slice(this.#position, this.#position + 64).join("");
    const [kind] = /^(?::|P?<[A-Za-z_]\w*>)/.exec(rest) ?? [];
    if (kind === undefined)
      throw new RegexProblem("only plain, `(?:…)` and named groups are known; lookaround and flags inside are not");
    this.#position += kind.length;
  }

  #escape(): RegexNode {
    const letter = this.#next();
    const place = places.get(letter);
    if (place !== undefined) return { type: "place", place };
    if (/[0-9]/.test(letter)) throw new RegexProblem("back references are not known");
    return { type: "one", test: namedSet(letter) ?? oneCharacter(this.#escaped(letter), this.#ignoresCase) };
  }

  #escaped(letter: string): number {
    const digits = letter === "x" ? 2 : letter === "u" ? 4 : 0;
    if (digits > 0) {
      const hex = this.#source.slice(this.#position, this.#position + digits).join("");
      if (!/^[0-9A-Fa-f]+$/.test(hex) || hex.length < digits)
        throw new RegexProblem(`\`\\${letter}\` needs ${digits} hex digits`);
      this.#position += digits;
      return Number.parseInt(hex, 16);
    }
    const code = escapedCharacter(letter);
    if (code === undefined) throw new RegexProblem(`\`\\${letter}\` is not known`);
    return code;
  }

  #set(): CharacterTest {
    const negated = this.#take("^");
    const tests: CharacterTest[] = [];
    for (let isFirst = true; isFirst || this.#peek() !== "]"; isFirst = false) tests.push(this.#setPart());
    this.#next();
    return (code) => tests.some((test) => test(code)) !== negated;
  }

  #setPart(): CharacterTest {
    const first = this.#setCharacter();
    if (typeof first !== "number") return first;
    const [dash, after] = [this.#peek(), this.#source[this.#position + 1]];
    if (dash !== "-" || after === undefined || after === "]") return oneCharacter(first, this.#ignoresCase);
    this.#position += 1;
    const last = this.#setCharacter();
    if (typeof last !== "number" || last < first) throw new RegexProblem("a range in `[…]` is the wrong way round");
    return characterRange(first, last, this.#ignoresCase);
  }

  #setCharacter(): number | CharacterTest {
    const character = this.#next();
    if (character !== "\\") return character.codePointAt(0) ?? 0;
    const letter = this.#next();
    return namedSet(letter) ?? (letter === "b" ? 8 : this.#escaped(letter));
  }

  #peek(): string | undefined {
    return this.#source[this.#position];
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#position += 1;
    return true;
  }

  #next(): string {
    const character = this.#peek();
    if (character === undefined) throw new RegexProblem("it ends too early");
    this.#position += 1;
    return character;
  }
}

const places: ReadonlyMap<string, RegexPlace> = new Map([
  ["b", "boundary"],
  ["B", "no-boundary"],
  ["A", "start"],
  ["Z", "end"],
  ["z", "end"],
]);

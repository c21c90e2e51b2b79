import { messageOf } from "@capstan/protocol";
import { parseClassItem, type RegexPiece, wordCharacters } from "./regex-escapes.ts";
import type { SearchQuery } from "./search-engine.ts";

/** A pattern for JavaScript that means what it means to ripgrep, or why there is none. */
export type TranslatedRegex =
  | { readonly type: "regex"; readonly source: string; readonly flags: string }
  | { readonly type: "problem"; readonly message: string };

/**
 * Whether a CR in front of a line end belongs to it, and is no character of the line: always, unless a CR is looked for.
 */
export function endsLinesWithReturn(pattern: string): boolean {
  return !/\\r|\r/.test(pattern);
}

/** Translates a query for the built-in search. What ripgrep would refuse (look-around, backreferences) is refused. */
export function translateRegex(query: SearchQuery): TranslatedRegex {
  const reader = new PatternReader(query.pattern);
  const body = query.fixedStrings ? reader.readFixed() : reader.readRegex();
  if (reader.problem !== undefined) return { type: "problem", message: reader.problem };
  const word = query.wordRegexp ? `(?<!${wordCharacters})(?:${body})(?!${wordCharacters})` : body;
  const folds = query.case === "insensitive" || (query.case === "smart" && reader.isLowerCase) || reader.inlineFold;
  const flags = folds ? "iv" : "v";
  try {
    return { type: "regex", source: new RegExp(word, flags).source, flags };
  } catch (error) {
    return { type: "problem", message: `regex parse error: ${reasonOf(error)}` };
  }
}

/** The reason alone: the expression it names is the translated one. */
function reasonOf(error: unknown): string {
  return messageOf(error).replace(/^Invalid regular expression: .*: /s, "");
}

class PatternReader {
  problem: string | undefined;
  /** `(?i)` in front. */
  inlineFold = false;
  readonly #characters: readonly string[];
  /** Then a CR anywhere ends a line for `^` and `$`, and nothing matches it: so it is in ripgrep. */
  readonly #crlf: boolean;
  #at = 0;
  #literals = 0;
  #upperCase = 0;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
    this.#crlf = endsLinesWithReturn(pattern);
  }

  /** Some literal, and none of them in upper case: what smart case goes by. Escapes such as `\W` do not count. */
  get isLowerCase(): boolean {
    return this.#literals > 0 && this.#upperCase === 0;
  }

  readFixed(): string {
    return this.#characters.map((character) => this.#literal(character)).join("");
  }

  readRegex(): string {
    let source = "";
    this.#readInlineFlags();
    while (this.#at < this.#characters.length && this.problem === undefined) source += this.#readPart();
    return source;
  }

  #readInlineFlags(): void {
    const [whole, flags = ""] = /^\(\?([imsu]+)\)/.exec(this.#characters.slice(0, 8).join("")) ?? [];
    if (whole === undefined) return;
    this.inlineFold = flags.includes("i");
    this.#at = whole.length;
  }

  #readPart(): string {
    const character = this.#characters[this.#at] ?? "";
    switch (character) {
      case "\\":
        return this.#readEscape();
      case "[":
        return this.#withoutReturn(this.#readClass());
      case "(":
        return this.#readGroup();
      case "{":
        return this.#readCount();
      case ".":
        this.#at += 1;
        return this.#withoutReturn("[^\\n]");
      case "^":
        this.#at += 1;
        return this.#crlf ? "(?:^|(?<=\\r))" : "^";
      case "$":
        this.#at += 1;
        return this.#crlf ? "(?:$|(?=\\r))" : "$";
      case "|":
      case ")":
      case "*":
      case "+":
      case "?":
        this.#at += 1;
        return character;
      default:
        this.#at += 1;
        return this.#literal(character);
    }
  }

  #readEscape(): string {
    const piece = parseClassItem(this.#characters, this.#at, "outside");
    const source = this.#take(piece);
    return piece.type === "source" && /^[[\\]/.test(source) ? this.#withoutReturn(source) : source;
  }

  #withoutReturn(set: string): string {
    return this.#crlf ? `[${set}--[\\r]]` : set;
  }

  #take(piece: RegexPiece): string {
    this.#at = piece.end;
    if (piece.type === "problem") this.problem ??= piece.message;
    if (piece.type === "problem") return "";
    return piece.type === "literal" ? this.#literal(piece.character) : piece.source;
  }

  /** Alternating set operators aside (`--`, `~~`), classes nest and intersect in both languages. */
  #readClass(): string {
    this.#at += 1;
    const negated = this.#characters[this.#at] === "^";
    if (negated) this.#at += 1;
    const operands: string[] = [];
    let items = "";
    for (let first = true; this.problem === undefined; first = false) {
      const character = this.#characters[this.#at];
      if (character === undefined) this.problem = "regex parse error: unclosed character class";
      else if (character === "]" && !first) break;
      else if (this.#startsWith("&&")) {
        operands.push(`[${items}]`);
        items = "";
        this.#at += 2;
      } else if (this.#startsWith("--") || this.#startsWith("~~")) {
        this.problem = "this set operator is not supported in a character class";
      } else items += character === "[" && !this.#startsWith("[:") ? this.#readClass() : this.#readClassRange();
    }
    this.#at += 1;
    return `[${negated ? "^" : ""}${operands.length === 0 ? items : [...operands, `[${items}]`].join("&&")}]`;
  }

  #readClassRange(): string {
    const from = this.#take(parseClassItem(this.#characters, this.#at, "inside"));
    const next = this.#characters[this.#at + 1];
    const isRange = this.#characters[this.#at] === "-" && next !== "]" && next !== "-" && next !== undefined;
    if (!isRange) return from;
    this.#at += 1;
    return `${from}-${this.#take(parseClassItem(this.#characters, this.#at, "inside"))}`;
  }

  #readGroup(): string {
    const rest = this.#characters.slice(this.#at, this.#at + 64).join("");
    if (/^\(\?<?[=!]/.test(rest)) {
      this.problem = "look-around, including look-ahead and look-behind, is not supported";
      return "";
    }
    const [opening = "("] = /^\(\?(?::|P?<[A-Za-z_]\w*>)/.exec(rest) ?? [];
    if (opening === "(" && rest.startsWith("(?")) {
      this.problem = "flags are only supported at the beginning of the pattern, such as (?i)";
      return "";
    }
    this.#at += opening.length;
    return opening === "(?:" ? opening : "(";
  }

  #readCount(): string {
    const [count] = /^\{\s*\d*\s*(,\s*\d*\s*)?\}/.exec(this.#characters.slice(this.#at, this.#at + 32).join("")) ?? [];
    if (count === undefined || !/\d/.test(count)) {
      this.problem = 'regex parse error: "{" begins a repetition count; write \\{ for a brace';
      return "";
    }
    this.#at += count.length;
    return count.replaceAll(/\s/g, "").replace("{,", "{0,");
  }

  #literal(character: string): string {
    if (character === "\n") this.problem ??= 'the literal "\\n" is not allowed in a regex';
    this.#literals += 1;
    if (/\p{Uppercase}/u.test(character)) this.#upperCase += 1;
    return /[A-Za-z0-9_]/.test(character) ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  }

  #startsWith(text: string): boolean {
    return this.#characters.slice(this.#at, this.#at + text.length).join("") === text;
  }
}

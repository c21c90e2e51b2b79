import { parseCharacterSet } from "../character-set.ts";
import { maxBraceDepth, maxGlobCharacters, maxGlobParts, maxRangeItems } from "../limits.ts";

/** One part of a glob. `any-names` is `**`, which means any number of names only where it is a whole name. */
export type GlobPart =
  | { readonly type: "character"; readonly character: string }
  | { readonly type: "any-character" }
  | { readonly type: "set"; readonly negated: boolean; readonly lists: (character: string) => boolean }
  | { readonly type: "any-characters" }
  | { readonly type: "any-names" }
  | { readonly type: "slash" }
  | { readonly type: "choice"; readonly options: readonly (readonly GlobPart[])[] };

/** Why a pattern cannot be read, with the remedy. */
export interface GlobProblem {
  readonly problem: string;
}

/**
 * Reads a glob in one pass, each character once.
 * @param literalSets  whether a set also stands for itself, as it is written
 */
export function parseGlob(pattern: string, literalSets: boolean): readonly GlobPart[] | GlobProblem {
  if (pattern.length > maxGlobCharacters) return { problem: `it is longer than ${maxGlobCharacters} characters` };
  const parser = new GlobParser(Array.from(pattern), literalSets);
  return parser.parse();
}

/** A group whose end has not come yet. */
interface OpenGroup {
  readonly begin: number;
  readonly options: GlobPart[][];
}

class GlobParser {
  readonly #characters: readonly string[];
  readonly #literalSets: boolean;
  readonly #groups: OpenGroup[] = [];
  #parts: GlobPart[] = [];
  #count = 0;

  constructor(characters: readonly string[], literalSets: boolean) {
    this.#characters = characters;
    this.#literalSets = literalSets;
  }

  parse(): readonly GlobPart[] | GlobProblem {
    for (let at = 0; at < this.#characters.length;) {
      const end = this.#read(at);
      if (typeof end !== "number") return end;
      if (this.#count > maxGlobParts) return { problem: `its ranges mean more than ${maxGlobParts} characters` };
      at = end;
    }
    // A brace without an end is a character like any other.
    for (let group = this.#groups.pop(); group !== undefined; group = this.#groups.pop()) this.#flatten(group, "");
    return this.#parts;
  }

  /** @returns the place behind what was read */
  #read(at: number): number | GlobProblem {
    const character = this.#characters[at] ?? "";
    switch (character) {
      case "\\":
        return this.#readEscape(at);
      case "[":
        return this.#readSet(at);
      case "*":
        return this.#readStars(at);
      case "?":
        this.#add({ type: "any-character" });
        break;
      case "{":
        if (this.#groups.length === maxBraceDepth)
          return { problem: `it has more than ${maxBraceDepth} braces inside one another` };
        this.#groups.push({ begin: at, options: [this.#parts] });
        this.#parts = [];
        break;
      case ",":
        this.#separate();
        break;
      case "}":
        return this.#close(at);
      default:
        this.#add(partOf(character));
    }
    return at + 1;
  }

  #add(part: GlobPart): void {
    this.#count += 1;
    this.#parts.push(part);
  }

  #readEscape(at: number): number | GlobProblem {
    const escaped = this.#characters[at + 1];
    if (escaped === undefined) return { problem: "it ends with a backslash; write `\\\\` for a backslash in a name" };
    this.#add(partOf(escaped));
    return at + 2;
  }

  #readSet(at: number): number | GlobProblem {
    const set = parseCharacterSet(this.#characters, at);
    if (set === undefined) {
      return { problem: "it has a `[` without an end, or an unknown class in it; write `\\[` for a bracket in a name" };
    }
    const part: GlobPart = { type: "set", negated: set.negated, lists: set.lists };
    const written = this.#characters.slice(at, set.end);
    if (this.#literalSets) this.#count += written.length;
    this.#add(this.#literalSets ? { type: "choice", options: [[part], written.map(partOf)] } : part);
    return set.end;
  }

  #readStars(at: number): number {
    let end = at + 1;
    while (this.#characters[end] === "*") end += 1;
    this.#add({ type: end === at + 1 ? "any-characters" : "any-names" });
    return end;
  }

  #separate(): void {
    const group = this.#groups.at(-1);
    if (group === undefined) return this.#add(partOf(","));
    this.#count += 1;
    group.options.push(this.#parts);
    this.#parts = [];
  }

  #close(at: number): number | GlobProblem {
    const group = this.#groups.pop();
    if (group === undefined) {
      this.#add(partOf("}"));
    } else if (group.options.length > 1) {
      const [before, ...options] = [...group.options, this.#parts];
      this.#parts = before;
      this.#add({ type: "choice", options });
    } else {
      const range = rangeItems(this.#characters.slice(group.begin + 1, at).join(""));
      if (range === undefined) this.#flatten(group, "}");
      else if (range.length > maxRangeItems) return { problem: `a range in it has more than ${maxRangeItems} items` };
      else {
        this.#parts = group.options[0] ?? [];
        const options = range.map((item) => Array.from(item, partOf));
        this.#count += options.flat().length;
        this.#add({ type: "choice", options });
      }
    }
    return at + 1;
  }

  /** The group is none: its braces and commas are characters. */
  #flatten(group: OpenGroup, end: string): void {
    const [before, ...options] = [...group.options, this.#parts];
    const inner = options.flatMap((option, index) => (index === 0 ? option : [partOf(","), ...option]));
    this.#parts = before.concat(partOf("{"), inner, Array.from(end, partOf));
    this.#count += 2;
  }
}

function partOf(character: string): GlobPart {
  return character === "/" ? { type: "slash" } : { type: "character", character };
}

/** The items of `1..9` or `a..e`; at most one more than are allowed. */
function rangeItems(inner: string): readonly string[] | undefined {
  const [, fromText = "", toText = ""] = /^(\d{1,6}|[a-zA-Z])\.\.(\d{1,6}|[a-zA-Z])$/.exec(inner) ?? [];
  const numeric = /^\d/.test(fromText);
  if (fromText === "" || numeric !== /^\d/.test(toText)) return undefined;
  const [from = 0, to = 0] = [fromText, toText].map((text) => (numeric ? Number(text) : text.charCodeAt(0)));
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.min(Math.abs(to - from), maxRangeItems) + 1 }, (_, index) => {
    const value = from + index * step;
    return numeric ? String(value) : String.fromCharCode(value);
  });
}

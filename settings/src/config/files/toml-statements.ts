import { maxPathSegments } from "../config-limits.ts";
import { type ConfigSegments, parsePath, pathText } from "../keys/config-path.ts";

/** A table's header, or a key with its value. */
export interface TomlStatement {
  /** The table it stands in; none for a header, whose names are the whole path. */
  readonly table: ConfigSegments;
  readonly names: ConfigSegments;
  /** From 1. */
  readonly line: number;
  /** Where its first line begins, and where the line after its last one does. */
  readonly start: number;
  readonly end: number;
  /** Of a key: where its value stands, without what follows it on the line. */
  readonly value?: { readonly start: number; readonly end: number };
}

/**
 * The statements of a TOML text in their order; entries of arrays of tables have their number (from 0) as a name.
 * @param text  valid TOML: a parser has already refused anything else
 */
export function* tomlStatements(text: string): Generator<TomlStatement> {
  const arrayLengths = new Map<string, number>();
  const scanner = new Scanner(text);
  let table: ConfigSegments = [];
  while (scanner.skipBlank()) {
    const { line } = scanner;
    const start = text.lastIndexOf("\n", scanner.position - 1) + 1;
    const header = scanner.takeHeader();
    if (header === undefined) {
      const names = scanner.takeKey();
      const value = scanner.skipValue();
      yield { table, names, line, start, end: scanner.position, value };
    } else {
      table = resolve(header.segments, arrayLengths);
      if (header.array) table = [...table, String(grow(arrayLengths, table))];
      const end = text.indexOf("\n", scanner.position) + 1;
      yield { table: [], names: table, line, start, end: end === 0 ? text.length : end };
    }
  }
}

function grow(arrayLengths: Map<string, number>, array: ConfigSegments): number {
  const path = pathText(array);
  const index = arrayLengths.get(path) ?? 0;
  arrayLengths.set(path, index + 1);
  return index;
}

/** `[a.b]` after `[[a]]` means the last entry of `a`. */
function resolve(header: ConfigSegments, arrayLengths: ReadonlyMap<string, number>): ConfigSegments {
  const resolved: string[] = [];
  // Deeper tables are no configuration, and joining their names for every key below them would cost their product.
  for (const [position, name] of header.entries()) {
    resolved.push(name);
    const length = arrayLengths.get(pathText(resolved));
    if (length !== undefined && position < header.length - 1) resolved.push(String(length - 1));
  }
  return resolved;
}

class Scanner {
  readonly #text: string;
  #position = 0;
  line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  get position(): number {
    return this.#position;
  }

  /** Goes to the next statement; false at the end. */
  skipBlank(): boolean {
    while (this.#take(blank) !== "");
    return this.#position < this.#text.length;
  }

  takeHeader(): { readonly segments: ConfigSegments; readonly array: boolean } | undefined {
    const opening = this.#take(headerOpening);
    if (opening === "") return undefined;
    const segments = this.takeKey();
    this.#take(headerClosing);
    return { segments, array: opening === "[[" };
  }

  takeKey(): ConfigSegments {
    const start = this.#position;
    while (this.#take(keyPiece) !== "");
    const written = this.#text.slice(start, this.#position);
    // What is a key in TOML but not here (escapes JSON has not) only costs the line number.
    return (parsePath(written) ?? [written.trim()]).slice(0, maxPathSegments);
  }

  /** Over `= value`, up to the end of its last line. @returns where the value itself stands */
  skipValue(): { readonly start: number; readonly end: number } {
    this.#take(equalsSign);
    const start = this.#position;
    let end = start;
    let depth = 0;
    while (this.#position < this.#text.length) {
      const piece = this.#takeLongString() || this.#take(valuePiece);
      if (piece === "[" || piece === "{") depth += 1;
      else if (piece === "]" || piece === "}") depth -= 1;
      else if (piece === "\n" && depth <= 0) break;
      else if (piece === "") this.#advance(1);
      if (!piece.startsWith("#") && piece.trim() !== "") end = this.#position - (piece.length - piece.trimEnd().length);
    }
    return { start, end };
  }

  /** A string in three quotes, which may go over many lines. */
  #takeLongString(): string {
    const quotes = this.#take(longStringOpening);
    if (quotes === "") return "";
    let end = this.#text.indexOf(quotes, this.#position);
    if (quotes === '"""') while (isEscaped(this.#text, end)) end = this.#text.indexOf(quotes, end + 1);
    if (end < 0) return this.#advance(this.#text.length - this.#position);
    return this.#advance(end + quotes.length - this.#position) + this.#take(extraQuotes);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#position;
    return this.#advance(pattern.exec(this.#text)?.[0].length ?? 0);
  }

  #advance(length: number): string {
    const taken = this.#text.slice(this.#position, this.#position + length);
    this.#position += length;
    for (let at = taken.indexOf("\n"); at >= 0; at = taken.indexOf("\n", at + 1)) this.line += 1;
    return taken;
  }
}

const blank = /[\s\uFEFF]+|#[^\n]*/y;
const equalsSign = /[ \t]*=[ \t]*/y;
const headerOpening = /\[\[?/y;
const headerClosing = /\]\]?/y;
const keyPiece = /[\w\-. \t]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
// Up to two quotes may stand before the closing three.
const extraQuotes = /"{1,2}|'{1,2}/y;
const longStringOpening = /"""|'''/y;
// A string, a comment, a bracket, a line end, or anything else up to one of those.
const valuePiece = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]{}\n]|[^"'#[\]{}\n]+/y;

function isEscaped(text: string, position: number): boolean {
  let start = position;
  while (text[start - 1] === "\\") start -= 1;
  return (position - start) % 2 === 1;
}

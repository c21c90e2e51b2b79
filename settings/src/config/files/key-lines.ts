import { maxPathSegments } from "../config-limits.ts";
import { type ConfigSegments, parsePath, pathText } from "../keys/config-path.ts";

/**
 * The line each key and table header of a TOML text stands on, by written path; entries of arrays of tables have their
 * number (from 0) as a name. Keys inside inline tables stand where their table does.
 * @param text  valid TOML: a parser has already refused anything else
 */
export function keyLines(text: string): KeyLines {
  const lines = new Map<string, number>();
  const arrayLengths = new Map<string, number>();
  const scanner = new Scanner(text);
  let table: ConfigSegments = [];
  while (scanner.skipBlank()) {
    const { line } = scanner;
    const header = scanner.takeHeader();
    if (header === undefined) {
      note(lines, table, scanner.takeKey(), line);
      scanner.skipValue();
    } else {
      table = resolve(header.segments, arrayLengths);
      if (header.array) table = [...table, String(grow(arrayLengths, table))];
      note(lines, [], table, line);
    }
  }
  return { lineOf: (segments) => lineOf(lines, segments) };
}

export interface KeyLines {
  /** The line of a path, or of the nearest table around it. */
  lineOf(segments: ConfigSegments): number | undefined;
}

function lineOf(lines: ReadonlyMap<string, number>, segments: ConfigSegments): number | undefined {
  for (let length = segments.length; length > 0; length -= 1) {
    const line = lines.get(pathText(segments.slice(0, length)));
    if (line !== undefined) return line;
  }
  return undefined;
}

/** Notes a path and the tables on the way to it. The first mention of each counts. */
function note(lines: Map<string, number>, table: ConfigSegments, names: ConfigSegments, line: number): void {
  const segments = [...table, ...names].slice(0, maxPathSegments);
  for (let length = table.length + 1; length <= segments.length; length += 1) {
    const path = pathText(segments.slice(0, length));
    if (!lines.has(path)) lines.set(path, line);
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

  /** Over `= value`, up to the end of its last line. */
  skipValue(): void {
    let depth = 0;
    while (this.#position < this.#text.length) {
      const piece = this.#takeLongString() || this.#take(valuePiece);
      if (piece === "[" || piece === "{") depth += 1;
      else if (piece === "]" || piece === "}") depth -= 1;
      else if (piece === "\n" && depth <= 0) return;
      else if (piece === "") this.#advance(1);
    }
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

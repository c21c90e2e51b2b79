import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import { withoutLineEnd } from "../decode-text.ts";
import { maxEventBytes, maxKeptLineLength } from "../limits.ts";

/** A line that matches. */
export interface LineMatch {
  /** From 1. */
  readonly line: number;
  /** UTF-16 units before the first match in the line. */
  readonly column: number;
  /** The line, or as much of it as is kept, without its end. */
  readonly text: string;
}

/** What was found in one file, in order of the lines. */
export interface SearchedFile {
  readonly matches: readonly LineMatch[];
  /** It holds a NUL, so that its lines are none. */
  readonly isBinary: boolean;
}

/** @param name  the file as it was named to ripgrep */
export type TakeSearched = (name: string, found: SearchedFile) => "continue" | "stop";

/** Reads what `rg --json` writes, in pieces of any size, and hands over each file when it is complete. */
export class RipgrepEvents {
  readonly #take: TakeSearched;
  readonly #returnEndsLines: boolean;
  #pieces: Buffer[] = [];
  #pendingBytes = 0;
  #matches: LineMatch[] = [];

  /**
   * @param returnEndsLines  a CR belongs to the line end (`--crlf`): ripgrep then also names lines where only the empty
   *   place behind that CR matches, which is none of theirs
   */
  constructor(take: TakeSearched, returnEndsLines = false) {
    this.#take = take;
    this.#returnEndsLines = returnEndsLines;
  }

  push(bytes: Buffer): "continue" | "stop" {
    let begin = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, begin)) {
      this.#keep(bytes.subarray(begin, end));
      begin = end + 1;
      const line = Buffer.concat(this.#pieces);
      this.#pieces = [];
      this.#pendingBytes = 0;
      if (this.#readEvent(line.toString()) === "stop") return "stop";
    }
    this.#keep(bytes.subarray(begin));
    return "continue";
  }

  #keep(bytes: Buffer): void {
    const kept = bytes.subarray(0, Math.max(0, maxEventBytes - this.#pendingBytes));
    if (kept.length === 0) return;
    this.#pieces.push(kept);
    this.#pendingBytes += kept.length;
  }

  #readEvent(line: string): "continue" | "stop" {
    const { type, data } = parseEvent(line);
    if (type === "begin") this.#matches = [];
    if (type === "match" && !(this.#returnEndsLines && isBehindReturn(data))) this.#matches.push(toMatch(data));
    if (type !== "end" || this.#matches.length === 0) return "continue";
    return this.#take(textOf(data["path"]), {
      matches: this.#matches,
      isBinary: typeof data["binary_offset"] === "number",
    });
  }
}

interface RipgrepEvent {
  readonly type: string;
  readonly data: JsonObject;
}

function parseEvent(line: string): RipgrepEvent {
  const event = parseObject(line.length < maxEventLength ? line : "") ?? parseLongMatch(line);
  const { type, data } = event;
  return { type: typeof type === "string" ? type : "", data: isObject(data) ? data : {} };
}

/** A line with a million matches is listed with each of them; only the first one is needed. */
function parseLongMatch(line: string): JsonObject {
  const begin = line.indexOf(submatchesKey);
  const end = line.indexOf("}", line.indexOf('"start":', begin));
  if (begin === -1 || end === -1) return {};
  return parseObject(`${line.slice(0, end + 1)}]}}`) ?? {};
}

// Inside a text every quote is escaped, so that this can only be the key itself.
const submatchesKey = '"submatches":[{';
/** UTF-16 units of an event that is parsed as a whole. */
const maxEventLength = 1_048_576;
const lineFeed = 0x0a;

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether what matches lies behind the CR: ripgrep then names the line, and nothing in it. */
function isBehindReturn({ lines, submatches }: JsonObject): boolean {
  return Array.isArray(submatches) && submatches.length === 0 && /\r\n?$/.test(textOf(lines));
}

function toMatch(data: JsonObject): LineMatch {
  const whole = textOf(data["lines"]);
  const submatches = data["submatches"];
  const first: JsonValue | undefined = Array.isArray(submatches) ? submatches[0] : undefined;
  const start = isObject(first) && typeof first["start"] === "number" ? first["start"] : 0;
  const line = typeof data["line_number"] === "number" ? data["line_number"] : 0;
  const column = Buffer.from(whole).toString("utf8", 0, start).length;
  return { line, column, text: withoutLineEnd(whole).slice(0, maxKeptLineLength) };
}

/** A text, or bytes that are none: those become U+FFFD. */
function textOf(value: JsonValue | undefined): string {
  if (!isObject(value)) return "";
  const { text, bytes } = value;
  if (typeof text === "string") return text;
  return typeof bytes === "string" ? Buffer.from(bytes, "base64").toString() : "";
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return value !== undefined && isJsonObject(value);
}

import { ToolRefusal } from "@capstan/protocol";
import { patchLimits } from "./limits.ts";
import type { FileSection, Operation, Patch } from "./patch.ts";
import { parsePatchPath } from "./parse-patch-path.ts";
import { foreignFormatOf, patchShape } from "./patch-shape.ts";

/** What a parser step holds on to: the lines of the patch and the next one to read (0-based). */
interface Cursor {
  readonly lines: readonly string[];
  next: number;
}

/**
 * Parses LP1.
 * @param text  the patch; LF or CRLF; one enclosing Markdown fence is accepted
 * @throws {ToolRefusal} `patch.syntax`, naming the patch line and how to fix it
 */
export function parsePatch(text: string): Patch {
  const cursor: Cursor = { lines: splitPatch(text), next: 0 };
  readHeader(cursor);
  const sections: FileSection[] = [];
  let operationCount = 0;
  for (;;) {
    const section = readSection(cursor);
    if (section === undefined) return { sections };
    sections.push(section);
    operationCount += section.operations.length;
    if (sections.length > patchLimits.maxSections) {
      throw syntaxError(section.line, `More than ${patchLimits.maxSections} file sections`, "Send several patches.");
    }
    if (operationCount > patchLimits.maxOperations) {
      throw syntaxError(section.line, `More than ${patchLimits.maxOperations} operations`, "Send several patches.");
    }
  }
}

function splitPatch(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const opening = lines.findIndex((line) => line.trim() !== "");
  // A fence is blanked, not cut, so that line numbers stay the model's own. The closing one comes after END, which ends the patch.
  return /^\s*(`{3,}|~{3,})[\w+-]*\s*$/.test(lines[opening] ?? "") ? lines.with(opening, "") : lines;
}

function readHeader(cursor: Cursor): void {
  skipIdleLines(cursor);
  const header = cursor.lines[cursor.next];
  if (header === undefined) {
    throw syntaxError(cursor.lines.length, "Missing LP1 header", `The first line must be LP1.\n${patchShape}`);
  }
  if (header.trim() !== "LP1") {
    const foreign = foreignFormatOf(header);
    const cause = foreign === undefined ? "The first line must be LP1, without text before it." : foreign;
    throw syntaxError(cursor.next + 1, "Invalid LP1 header", `${cause}\n${patchShape}`);
  }
  cursor.next += 1;
}

function readSection(cursor: Cursor): FileSection | undefined {
  const start = nextStatement(cursor);
  const trimmed = start.trim();
  if (trimmed === "END") return undefined;
  const line = cursor.next + 1;
  if (!trimmed.startsWith("F")) {
    throw syntaxError(line, "Expected file section (F <path>)", `Found: ${quoted(trimmed)}.`);
  }
  const path = parsePatchPath(trimmed.slice(1));
  if (path.type === "wrong") throw syntaxError(line, path.problem, path.advice);
  cursor.next += 1;
  const operations: Operation[] = [];
  for (;;) {
    const statement = nextStatement(cursor).trim();
    if (statement === "END" || statement.startsWith("F")) return { path: path.path, line, operations };
    operations.push(readOperation(cursor, statement));
  }
}

/** The next line that is neither blank nor a comment; the cursor stays on it. */
function nextStatement(cursor: Cursor): string {
  skipIdleLines(cursor);
  const statement = cursor.lines[cursor.next];
  if (statement !== undefined) return statement;
  throw syntaxError(cursor.lines.length, "Missing END footer", "The last line of a patch must be END.");
}

function skipIdleLines(cursor: Cursor): void {
  while (cursor.next < cursor.lines.length && /^\s*(#|$)/.test(cursor.lines[cursor.next] ?? "")) cursor.next += 1;
}

function readOperation(cursor: Cursor, statement: string): Operation {
  const line = cursor.next + 1;
  const letter = statement.slice(0, 1);
  const rest = statement.slice(1).trim();
  cursor.next += 1;
  switch (letter) {
    case "R":
      return { type: "replace", line, occurrence: occurrenceOf(rest, line), ...findAndBlock(cursor) };
    case "I":
      return { type: "insert-after", line, occurrence: occurrenceOf(rest, line), ...findAndBlock(cursor) };
    case "P":
      return { type: "insert-before", line, occurrence: occurrenceOf(rest, line), ...findAndBlock(cursor) };
    case "E":
      return { type: "erase", line, occurrence: occurrenceOf(rest, line), find: readBlock(cursor) };
    case "T":
      return { type: "append", line, block: readBlock(cursor) };
    case "B":
      return { type: "prepend", line, block: readBlock(cursor) };
    case "N":
      return { type: "final-newline", line, present: newlineFlagOf(rest, line) };
    default:
      throw syntaxError(line, "Unknown LP1 operation", unknownOperationAdvice(statement));
  }
}

function findAndBlock(cursor: Cursor): { readonly find: readonly string[]; readonly block: readonly string[] } {
  const find = readBlock(cursor);
  return { find, block: readBlock(cursor) };
}

function readBlock(cursor: Cursor): readonly string[] {
  const start = cursor.next;
  const block: string[] = [];
  for (; cursor.next < cursor.lines.length; cursor.next += 1) {
    const row = cursor.lines[cursor.next] ?? "";
    if (/^\.[ \t]*$/.test(row)) {
      cursor.next += 1;
      return block;
    }
    block.push(unstuffed(row, cursor.next + 1));
  }
  throw syntaxError(
    start + 1,
    "Unterminated LP1 block",
    "The block that begins here needs a line with only `.` at its end; R, I and P take two blocks, the others one.",
  );
}

function unstuffed(row: string, line: number): string {
  if (row.includes("\r")) {
    throw syntaxError(line, "Bare CR in LP1 block", "Lines end with LF or CRLF; the file's own line ends are kept.");
  }
  if (!row.startsWith(".")) return row;
  if (row.startsWith("..")) return row.slice(1);
  throw syntaxError(
    line,
    "Dot-stuffed line must start with '..'",
    `Write the line ${quoted(row)} as ${quoted(`.${row}`)}.`,
  );
}

function occurrenceOf(rest: string, line: number): number | null {
  if (rest === "") return null;
  const occurrence = /^[0-9]+$/.test(rest) ? Number(rest) : Number.NaN;
  if (!Number.isSafeInteger(occurrence)) {
    throw syntaxError(line, "Invalid occurrence", `Expected a number such as 2, found ${quoted(rest)}.`);
  }
  if (occurrence === 0) throw syntaxError(line, "Occurrence must be >= 1", "The first match is 1.");
  return occurrence;
}

function newlineFlagOf(rest: string, line: number): boolean {
  if (rest === "+") return true;
  if (rest === "-") return false;
  throw syntaxError(line, "Invalid N flag; expected + or -", `Found ${quoted(rest)}.`);
}

function unknownOperationAdvice(statement: string): string {
  const forgotten = statement.startsWith(".") ? " (a stray `.`? each block ends with exactly one)" : "";
  return `Found ${quoted(statement)}${forgotten}; expected R, I, P, E, T, B, N, another F <path>, or END.`;
}

function syntaxError(line: number, problem: string, advice: string): ToolRefusal {
  return new ToolRefusal("rejected", "patch.syntax", `Patch line ${line}: ${problem}. No file was changed. ${advice}`);
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

import { patchLimits } from "../lp1/limits.ts";
import type { CodexChunk, CodexCursor, CodexSection } from "./codex-patch.ts";
import { codexSyntaxError, cut } from "./codex-syntax-error.ts";
import { readChunk } from "./read-chunk.ts";

const beginMarker = "*** Begin Patch";
const endMarker = "*** End Patch";
const fileMarkers = { add: "*** Add File: ", delete: "*** Delete File: ", update: "*** Update File: " } as const;
const moveMarker = "*** Move to: ";

/** Whether a patch is written in the Codex form, or tries to be. */
export function isCodexPatch(text: string): boolean {
  const start = /^\s*(?:(?:`{3,}|~{3,})[^\n]*\n\s*)?(?:<<['"]?\w+['"]?[ \t]*\r?\n\s*)?/.exec(text)?.[0] ?? "";
  return /^\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File:)/.test(text.slice(start.length, start.length + 32));
}

/**
 * Parses a patch between `*** Begin Patch` and `*** End Patch`.
 * @param text  LF or CRLF; white space around the markers, one Markdown fence and the marks of a here-document around all are accepted
 * @throws {ToolRefusal} `patch.syntax`, naming the patch line and how to fix it
 */
export function parseCodexPatch(text: string): readonly CodexSection[] {
  const cursor = openEnvelope(text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)));
  const sections: CodexSection[] = [];
  let chunkCount = 0;
  while (cursor.next < cursor.lines.length) {
    const section = readSection(cursor);
    sections.push(section);
    chunkCount += section.type === "update" ? section.chunks.length : 1;
    if (sections.length > patchLimits.maxSections)
      throw codexSyntaxError(section.line, `More than ${patchLimits.maxSections} files`, "Send several patches.");
    if (chunkCount > patchLimits.maxOperations)
      throw codexSyntaxError(section.line, `More than ${patchLimits.maxOperations} changes`, "Send several patches.");
  }
  if (sections.length > 0) return sections;
  throw codexSyntaxError(cursor.lines.length, "No files were modified", `The patch is empty. ${headerAdvice}`);
}

/** Blank, not cut, is what stands around the patch, so that line numbers stay the model's own. */
function openEnvelope(lines: readonly string[]): CodexCursor {
  let first = nextFilled(lines, 0);
  let last = lines.findLastIndex((line) => line.trim() !== "");
  if (/^\s*(`{3,}|~{3,})[\w+-]*\s*$/.test(lines[first] ?? "")) {
    first = nextFilled(lines, first + 1);
    if (/^\s*(`{3,}|~{3,})\s*$/.test(lines[last] ?? "")) last = lastFilled(lines, last - 1);
  }
  const [, word] = /^\s*<<['"]?(\w+)['"]?\s*$/.exec(lines[first] ?? "") ?? [];
  if (word !== undefined && lines[last]?.trim().endsWith(word) === true) {
    first = nextFilled(lines, first + 1);
    last = lastFilled(lines, last - 1);
  }
  if (lines[first]?.trim() !== beginMarker)
    throw codexSyntaxError(first + 1, `The first line of the patch must be '${beginMarker}'`, headerAdvice);
  if (last <= first || lines[last]?.trim() !== endMarker)
    throw codexSyntaxError(last + 1, `The last line of the patch must be '${endMarker}'`, "Send the whole patch.");
  return { lines: lines.slice(0, last), next: first + 1 };
}

function nextFilled(lines: readonly string[], from: number): number {
  const found = lines.findIndex((line, index) => index >= from && line.trim() !== "");
  return found === -1 ? lines.length : found;
}

function lastFilled(lines: readonly string[], from: number): number {
  return lines.findLastIndex((line, index) => index <= from && line.trim() !== "");
}

function readSection(cursor: CodexCursor): CodexSection {
  const line = cursor.next + 1;
  const header = (cursor.lines[cursor.next] ?? "").trim();
  cursor.next += 1;
  if (header.startsWith(fileMarkers.add)) {
    return { type: "add", path: pathOf(header, fileMarkers.add, line), line, lines: readAddedLines(cursor) };
  }
  if (header.startsWith(fileMarkers.delete))
    return { type: "delete", path: pathOf(header, fileMarkers.delete, line), line };
  if (header.startsWith(fileMarkers.update)) return readUpdate(cursor, pathOf(header, fileMarkers.update, line), line);
  throw codexSyntaxError(line, `'${cut(header)}' is not a valid hunk header`, headerAdvice);
}

function readAddedLines(cursor: CodexCursor): readonly string[] {
  const added: string[] = [];
  for (let row = cursor.lines[cursor.next]; row?.startsWith("+") === true; row = cursor.lines[cursor.next]) {
    added.push(row.slice(1));
    cursor.next += 1;
  }
  return added;
}

function readUpdate(cursor: CodexCursor, path: string, line: number): CodexSection {
  const moveLine = (cursor.lines[cursor.next] ?? "").trim();
  const moveTo = moveLine.startsWith(moveMarker) ? pathOf(moveLine, moveMarker, cursor.next + 1) : null;
  if (moveTo !== null) cursor.next += 1;
  const chunks: CodexChunk[] = [];
  for (let row = cursor.lines[cursor.next]; row !== undefined; row = cursor.lines[cursor.next]) {
    if (row.trim() === "") cursor.next += 1;
    else if (row.startsWith("*")) break;
    else chunks.push(readChunk(cursor, chunks.length === 0));
  }
  if (chunks.length > 0 || moveTo !== null) return { type: "update", path, line, moveTo, chunks };
  throw codexSyntaxError(line, `Update file hunk for path '${cut(path)}' is empty`, "Write what changes in it.");
}

function pathOf(header: string, marker: string, line: number): string {
  const path = header.slice(marker.length).trim();
  if (path !== "") return path;
  throw codexSyntaxError(line, `${marker.trim()} names no path`, "Write the path behind it.");
}

const headerAdvice =
  "Between '*** Begin Patch' and '*** End Patch' each file begins with one of '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'.";

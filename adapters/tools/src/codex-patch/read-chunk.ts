import type { CodexChunk, CodexCursor } from "./codex-patch.ts";
import { codexSyntaxError, cut } from "./codex-syntax-error.ts";

/**
 * Reads one change of a file: its `@@` lines, then the lines that stay, go and come.
 * @param isFirst  the first change of a file needs no `@@`
 */
export function readChunk(cursor: CodexCursor, isFirst: boolean): CodexChunk {
  const line = cursor.next + 1;
  const contexts: string[] = [];
  const start = cursor.next;
  for (let row = cursor.lines[cursor.next]; isContext(row); row = cursor.lines[cursor.next]) {
    if (row.length > 3) contexts.push(row.slice(3));
    cursor.next += 1;
  }
  if (start === cursor.next && !isFirst) {
    const found = cut(cursor.lines[cursor.next] ?? "");
    throw codexSyntaxError(line, `Expected update hunk to start with a @@ context marker, got: '${found}'`, lineAdvice);
  }
  return { line, contexts, ...readLines(cursor) };
}

function isContext(row: string | undefined): row is string {
  return row !== undefined && (row.trimEnd() === "@@" || row.startsWith("@@ "));
}

function readLines(cursor: CodexCursor): Omit<CodexChunk, "line" | "contexts"> {
  const oldLines: string[] = [];
  const newLines: string[] = [];
  const start = cursor.next;
  for (let row = cursor.lines[cursor.next]; row !== undefined; row = cursor.lines[cursor.next]) {
    const isEmpty = cursor.next === start;
    if (row.trim() === "*** End of File") {
      if (isEmpty) throw codexSyntaxError(cursor.next + 1, noLines, lineAdvice);
      cursor.next += 1;
      return { oldLines, newLines, atEnd: true };
    }
    const mark = row.slice(0, 1);
    if (mark !== "" && mark !== " " && mark !== "+" && mark !== "-") {
      if (isEmpty) throw codexSyntaxError(cursor.next + 1, unexpected(row), lineAdvice);
      break;
    }
    if (mark !== "+") oldLines.push(row.slice(1));
    if (mark !== "-") newLines.push(row.slice(1));
    cursor.next += 1;
  }
  if (cursor.next === start) throw codexSyntaxError(cursor.next + 1, noLines, lineAdvice);
  return { oldLines, newLines, atEnd: false };
}

const noLines = "Update hunk does not contain any lines";

function unexpected(row: string): string {
  return row.startsWith("***") ? noLines : `Unexpected line found in update hunk: '${cut(row)}'`;
}

const lineAdvice =
  "After an optional line `@@` or `@@ {a line above the change}`, every line starts with ' ' (stays), '-' (goes) or '+' (comes).";

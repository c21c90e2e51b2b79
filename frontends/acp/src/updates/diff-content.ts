import { isAbsolute, join } from "node:path";
import type { FileChange } from "@capstan/protocol";
import { type DiffHunk, type DiffLine, parseDiff } from "@capstan/view";
import { textContent, type ToolCallContent } from "./update-types.ts";

/**
 * What became of files: each differing place with the lines around it, before and after. A file whose differences are not known is named
 * in words.
 * @param cwd  what relative paths are relative to
 */
export function diffContent(changes: readonly FileChange[], cwd: string): readonly ToolCallContent[] {
  return changes.flatMap((change) => contentOf(change, cwd));
}

/** The path in full. */
function fullPath(path: string, cwd: string): string {
  return isAbsolute(path) ? path : join(cwd, path);
}

function contentOf(
  { path, kind, addedLines, removedLines, diff }: FileChange,
  cwd: string,
): readonly ToolCallContent[] {
  const tree = diff === undefined ? { files: [], linesLeftOut: 0 } : parseDiff(diff);
  const hunks = tree.files.flatMap((file) => file.hunks);
  if (hunks.length === 0) return [textContent(`${kind} ${path} (+${addedLines} -${removedLines})`)];
  const places = hunks.map((hunk): ToolCallContent => ({
    type: "diff",
    path: fullPath(path, cwd),
    oldText: kind === "created" ? null : linesOf(hunk, "removed"),
    newText: linesOf(hunk, "added"),
  }));
  const rest = tree.linesLeftOut === 0 ? [] : [textContent(`${path}: ${tree.linesLeftOut} more lines differ`)];
  return [...places, ...rest];
}

/** One side of a place: the lines of both, and those of this one. */
function linesOf({ lines }: DiffHunk, side: "removed" | "added"): string {
  const own = lines.filter(
    (line): line is Exclude<DiffLine, { type: "note" }> => line.type === "same" || line.type === side,
  );
  return own.map(({ text }) => `${text}\n`).join("");
}

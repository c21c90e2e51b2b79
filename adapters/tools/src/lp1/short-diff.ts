import { compareTexts } from "@capstan/diff";
import { patchLimits } from "./limits.ts";
import type { PlannedFile } from "../files/staged-files.ts";

/** Where a patch landed: unified diffs with one line of context, cut at a limit. Empty when there is nothing to show. */
export function shortDiff(files: readonly PlannedFile[]): string {
  const lines: string[] = [];
  let room = patchLimits.maxShownDiffBytes;
  for (const line of diffLines(files)) {
    room -= Buffer.byteLength(line) + 1;
    if (room < 0) return [...lines, "[diff truncated]"].join("\n");
    lines.push(line);
  }
  return lines.join("\n");
}

/** Lazily: what lies beyond the limit is not worth comparing. */
function* diffLines(files: readonly PlannedFile[]): Generator<string> {
  for (const { resolved, before, after } of files) {
    const compared = compareTexts(unified(before), unified(after), patchLimits.shownContextLines);
    yield `--- ${before === null ? "/dev/null" : resolved.shown}`;
    yield `+++ ${after === null ? "/dev/null" : resolved.shown}`;
    if (compared.type === "too-different") {
      yield "[too different to compare]";
      continue;
    }
    for (const hunk of compared.hunks) {
      yield `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`;
      yield* hunk.lines;
    }
  }
}

/** An empty range stands after the line it names. */
function range(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}

/** Line ends are described in words; in a diff they would hide the change. */
function unified(content: Buffer | null): string {
  return (content ?? "").toString().replaceAll("\r\n", "\n");
}

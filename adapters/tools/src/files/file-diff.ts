import type { FileChange } from "@capstan/protocol";
import { formatPatch, type StructuredPatch, structuredPatch } from "diff";
import { diffContextLines, diffTimeoutMs, maxDiffBytes } from "./limits.ts";
import { splitLines } from "./text-content.ts";

/**
 * What changed in one text file.
 * @param shown  the path as shown
 * @param before  `null`: it did not exist
 * @param after  `null`: it is deleted
 * @returns with a unified diff, cut at `maxDiffBytes`; without one when it took too long, and then with estimated counts
 */
export function fileChange(shown: string, before: string | null, after: string | null): FileChange {
  const kind = before === null ? "created" : after === null ? "deleted" : "modified";
  const patch = structuredPatch(
    before === null ? "/dev/null" : `a/${shown}`,
    after === null ? "/dev/null" : `b/${shown}`,
    before ?? "",
    after ?? "",
    undefined,
    undefined,
    { context: diffContextLines, timeout: diffTimeoutMs },
  );
  if (patch === undefined) return { path: shown, kind, ...countRoughly(before ?? "", after ?? "") };
  const counts = countLines(patch);
  if (patch.hunks.length === 0) return { path: shown, kind, ...counts };
  return { path: shown, kind, ...counts, diff: cutDiff(unifiedText(patch)) };
}

interface LineCounts {
  readonly addedLines: number;
  readonly removedLines: number;
}

function countLines(patch: StructuredPatch): LineCounts {
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    addedLines: lines.filter((line) => line.startsWith("+")).length,
    removedLines: lines.filter((line) => line.startsWith("-")).length,
  };
}

/** Counts lines without regard to their order: linear, and never more than the true counts. */
function countRoughly(before: string, after: string): LineCounts {
  const surplus = new Map<string, number>();
  for (const line of splitLines(after)) surplus.set(line, (surplus.get(line) ?? 0) + 1);
  for (const line of splitLines(before)) surplus.set(line, (surplus.get(line) ?? 0) - 1);
  const counts = [...surplus.values()];
  return {
    addedLines: counts.reduce((sum, count) => sum + Math.max(count, 0), 0),
    removedLines: counts.reduce((sum, count) => sum + Math.max(-count, 0), 0),
  };
}

function unifiedText(patch: StructuredPatch): string {
  return formatPatch(patch, { includeIndex: false, includeUnderline: false, includeFileHeaders: true });
}

function cutDiff(diff: string): string {
  if (Buffer.byteLength(diff) <= maxDiffBytes) return diff;
  const head = Buffer.from(diff).subarray(0, maxDiffBytes).toString("utf8");
  const kept = head.slice(0, head.lastIndexOf("\n") + 1);
  const left = diff.slice(kept.length).split("\n").length - 1;
  return `${kept}[diff cut: ${left} more lines]\n`;
}

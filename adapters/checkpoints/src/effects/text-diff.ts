import type { FileChange } from "@capstan/protocol";
import { formatPatch, type StructuredPatch, structuredPatch } from "diff";
import { binaryProbeBytes, diffContextLines, diffTimeoutMs, maxDiffBytes } from "../limits.ts";

/** What changed in a text: counted lines, and a unified diff where that is asked for and does not take too long. */
export type TextDiff = Pick<FileChange, "addedLines" | "removedLines" | "diff">;

export interface DiffNames {
  /** As shown; `null`: there is no such file. */
  readonly before: string | null;
  readonly after: string | null;
}

export function diffTexts(names: DiffNames, before: string, after: string): TextDiff {
  const patch = structuredPatch(
    names.before === null ? "/dev/null" : `a/${names.before}`,
    names.after === null ? "/dev/null" : `b/${names.after}`,
    before,
    after,
    undefined,
    undefined,
    { context: diffContextLines, timeout: diffTimeoutMs },
  );
  if (patch === undefined) return countRoughly(before, after);
  const counts = countLines(patch);
  return patch.hunks.length === 0 ? counts : { ...counts, diff: cutDiff(unifiedText(patch)) };
}

/** Counts lines without regard to their order: linear, and never more than the true counts. */
export function countRoughly(before: string, after: string): TextDiff {
  const surplus = new Map<string, number>();
  for (const line of linesOf(after)) surplus.set(line, (surplus.get(line) ?? 0) + 1);
  for (const line of linesOf(before)) surplus.set(line, (surplus.get(line) ?? 0) - 1);
  const counts = [...surplus.values()];
  return {
    addedLines: counts.reduce((sum, count) => sum + Math.max(count, 0), 0),
    removedLines: counts.reduce((sum, count) => sum + Math.max(-count, 0), 0),
  };
}

/** The text of a file; `undefined`: it is binary. */
export function textOf(content: Buffer): string | undefined {
  if (content.subarray(0, binaryProbeBytes).includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}

function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

function countLines(patch: StructuredPatch): { readonly addedLines: number; readonly removedLines: number } {
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    addedLines: lines.filter((line) => line.startsWith("+")).length,
    removedLines: lines.filter((line) => line.startsWith("-")).length,
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

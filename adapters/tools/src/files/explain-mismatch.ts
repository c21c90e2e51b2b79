import { maxComparedLength, maxNearestLines, maxNearestPlaces } from "./limits.ts";
import { splitLines } from "./text-content.ts";
import { similarityTo } from "./text-similarity.ts";

/**
 * Helps a model whose text to replace was not found: what is probably wrong with it, with the file's own lines. Bounded in
 * time and size.
 */
export function explainMismatch(text: string, oldText: string): string {
  const wanted = splitLines(oldText);
  const lines = splitLines(text).slice(0, maxNearestLines);
  if (wanted.some((line) => numberPrefix.test(line)) && occursWithoutNumbers(text, wanted)) {
    return "It holds line numbers as read_file shows them; leave out the numbers and the tab after them.";
  }
  const place = findIgnoringSpace(lines, wanted);
  if (place !== undefined) return explainSpace(lines, place, wanted.length);
  const nearest = nearestLines(lines, wanted);
  if (nearest.length === 0) return "No similar line is in the file. Read it again, and quote its text exactly.";
  return `Nearest lines:\n${nearest.map((index) => quoteLine(lines, index)).join("\n")}\nQuote the file's text exactly.`;
}

const numberPrefix = /^\s*\d+\t/;

function occursWithoutNumbers(text: string, wanted: readonly string[]): boolean {
  const plain = wanted.map((line) => line.replace(numberPrefix, "")).join("\n");
  return plain !== "" && text.replaceAll("\r\n", "\n").includes(plain);
}

function findIgnoringSpace(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const sought = wanted.map(withoutSpace);
  if (sought.every((line) => line === "")) return undefined;
  const there = lines.map(withoutSpace);
  const last = there.length - sought.length;
  for (let start = 0; start <= last; start += 1) {
    if (sought.every((line, index) => line === there[start + index])) return start;
  }
  return undefined;
}

function explainSpace(lines: readonly string[], place: number, count: number): string {
  const shown = Array.from({ length: Math.min(count, maxNearestPlaces) }, (_, index) =>
    quoteLine(lines, place + index),
  );
  const range = count === 1 ? `line ${place + 1} differs` : `lines ${place + 1}-${place + count} differ`;
  return `Only white space of ${range}; the file has:\n${shown.join("\n")}${count > shown.length ? "\n…" : ""}`;
}

function nearestLines(lines: readonly string[], wanted: readonly string[]): readonly number[] {
  const anchor = wanted.map(comparable).toSorted((a, b) => b.length - a.length)[0] ?? "";
  const similarity = similarityTo(anchor);
  return lines
    .map((line, index) => ({ index, score: similarity(comparable(line)) }))
    .filter(({ score }) => score >= 0.5)
    .toSorted((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, maxNearestPlaces)
    .map(({ index }) => index)
    .toSorted((a, b) => a - b);
}

function quoteLine(lines: readonly string[], index: number): string {
  return `${index + 1}\t${(lines[index] ?? "").slice(0, maxComparedLength)}`;
}

function comparable(line: string): string {
  return line.trim().slice(0, maxComparedLength);
}

function withoutSpace(line: string): string {
  return line.replace(/\s+/g, "");
}

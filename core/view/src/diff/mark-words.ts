import type { DiffFile, DiffLine, Marks, WordMark } from "./diff-tree.ts";
import { comparedCharacters, comparedPairs } from "../limits.ts";

type Changed = Extract<DiffLine, { type: "removed" | "added" }>;

/** Marks what differs between lines that replace each other: a run of removed lines and the run of added ones right after it. */
export function markWords(files: readonly DiffFile[]): readonly DiffFile[] {
  let pairs = comparedPairs;
  const compare = (lines: readonly DiffLine[]): readonly DiffLine[] => {
    const marked = [...lines];
    for (let at = 0; at < lines.length;) {
      const removed = runFrom(lines, at, "removed");
      const added = runFrom(lines, at + removed, "added");
      for (let line = 0; line < Math.min(removed, added) && pairs > 0; line += 1, pairs -= 1)
        markPair(marked, at + line, at + removed + line);
      at += Math.max(1, removed + added);
    }
    return marked;
  };
  return files.map((file) => ({
    ...file,
    hunks: file.hunks.map((hunk) => ({ ...hunk, lines: compare(hunk.lines) })),
  }));
}

function runFrom(lines: readonly DiffLine[], from: number, type: Changed["type"]): number {
  let count = 0;
  while (lines[from + count]?.type === type) count += 1;
  return count;
}

function markPair(lines: DiffLine[], removedAt: number, addedAt: number): void {
  const [removed, added] = [lines[removedAt], lines[addedAt]];
  if (removed?.type !== "removed" || added?.type !== "added") return;
  const [before, after] = differingWords(removed.text, added.text);
  lines[removedAt] = { ...removed, marks: before };
  lines[addedAt] = { ...added, marks: after };
}

/** What lies between the words that both lines begin and end with. */
function differingWords(before: string, after: string): readonly [Marks, Marks] {
  if (before.length > comparedCharacters || after.length > comparedCharacters) return [null, null];
  const [a, b] = [wordsOf(before), wordsOf(after)];
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const common = [...a.slice(0, head), ...a.slice(a.length - tail)];
  if (!common.some((word) => /\S/.test(word))) return [null, null];
  return [markBetween(a, head, tail), markBetween(b, head, tail)];
}

function markBetween(words: readonly string[], head: number, tail: number): readonly WordMark[] {
  const from = lengthOf(words.slice(0, head));
  const to = from + lengthOf(words.slice(head, words.length - tail));
  return from === to ? [] : [{ from, to }];
}

function lengthOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length, 0);
}

/** Words, runs of blanks, and single signs. */
function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

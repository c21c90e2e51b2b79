import { applyPatch } from "diff";
import * as fc from "fast-check";
import { runs } from "@capstan/testkit";
import { expect, test } from "vitest";
import { diffTexts, maxDiffSteps } from "../src/index.ts";
import { maxDiffBytes } from "../src/limits.ts";

const file = { before: "a", after: "a" };

function numbered(count: number, word: string): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${word} ${index}`);
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

test("a deleted file is a diff to nothing", () => {
  expect(diffTexts({ before: "a", after: null }, "one\ntwo", "")).toMatchObject({
    addedLines: 0,
    removedLines: 2,
    diff: "--- a/a\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n\\ No newline at end of file\n",
  });
});

test("two empty texts have no lines and no diff", () => {
  expect(diffTexts({ before: null, after: "a" }, "", "")).toEqual({ addedLines: 0, removedLines: 0, steps: 1 });
});

test("a long diff is cut after a whole line, and says how much is missing", () => {
  const { diff = "", addedLines } = diffTexts(
    { before: null, after: "a" },
    "",
    textOf(numbered(20_000, "ż line").map((line) => `${line} 😀`)),
  );
  const shown = diff.split("\n").filter((line) => line.startsWith("+ż line")).length;
  expect(addedLines).toBe(20_000);
  expect(Buffer.byteLength(diff)).toBeLessThan(maxDiffBytes + 100);
  expect(Buffer.byteLength(diff)).toBeGreaterThan(maxDiffBytes - 100);
  expect(diff.endsWith(`[diff cut: ${20_000 - shown} more lines]\n`)).toBe(true);
});

test("texts without a line in common are counted, without a diff", () => {
  expect(diffTexts(file, textOf(numbered(60_000, "before")), textOf(numbered(60_000, "after")))).toEqual({
    addedLines: 60_000,
    removedLines: 60_000,
    steps: maxDiffSteps,
  });
});

test("a long insertion, a long deletion and a few changes in a long text are compared whole", () => {
  const lines = numbered(30_000, "line");
  const longer = [...lines.slice(0, 10_000), ...numbered(9000, "new"), ...lines.slice(10_000)];
  const changed = lines.map((line, index) => (index % 300 === 7 ? `${line}!` : line));
  expect(diffTexts(file, textOf(lines), textOf(longer))).toMatchObject({ addedLines: 9000, removedLines: 0 });
  expect(diffTexts(file, textOf(longer), textOf(lines))).toMatchObject({ addedLines: 0, removedLines: 9000 });
  const few = diffTexts(file, textOf(lines), textOf(changed));
  expect(few).toMatchObject({ addedLines: 100, removedLines: 100, diff: expect.stringContaining("@@ -5,7 +5,7 @@") });
});

test("how far two texts are compared depends on the texts alone, not on how long it takes", () => {
  // A clock that jumps an hour at each look would end any comparison that is bounded by time.
  const lines = numbered(2000, "line");
  const others = lines.map((line, index) => (index % 4 === 0 ? `${line}!` : line));
  const expected = diffTexts(file, textOf(lines), textOf(others));
  const now = Date.now;
  let hours = 0;
  try {
    Date.now = () => now() + 3_600_000 * (hours += 1);
    expect(diffTexts(file, textOf(lines), textOf(others))).toEqual(expected);
  } finally {
    Date.now = now;
  }
  expect(expected).toMatchObject({ addedLines: 500, removedLines: 500 });
  expect(expected.diff).toBeDefined();
});

test("a diff applied to the old text gives the new one", () => {
  const piece = fc.constantFrom("a", "b", "\n", " ", "\r\n", "ż", "a\nb\na\nb\na\nb\na\nb\n");
  const text = fc.string({ unit: piece, maxLength: 60 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { diff } = diffTexts(file, before, after);
      expect(diff === undefined ? before : applyPatch(before, diff, { autoConvertLineEndings: false })).toBe(after);
    }),
    { numRuns: runs(500) },
  );
});

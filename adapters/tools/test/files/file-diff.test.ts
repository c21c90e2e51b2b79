import * as fc from "fast-check";
import { applyPatch } from "diff";
import { expect, test } from "vitest";
import { fileChange } from "../../src/files/file-diff.ts";
import { maxDiffBytes } from "../../src/files/limits.ts";

test("a deleted file is a diff to nothing", () => {
  expect(fileChange("a", "one\ntwo", null)).toEqual({
    path: "a",
    kind: "deleted",
    addedLines: 0,
    removedLines: 2,
    diff: "--- a/a\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n\\ No newline at end of file\n",
  });
});

test("an empty new file has no lines and no diff", () => {
  expect(fileChange("a", null, "")).toEqual({ path: "a", kind: "created", addedLines: 0, removedLines: 0 });
});

test("a long diff is cut after a whole line, and says how much is missing", () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index} ż`);
  const { diff = "", addedLines } = fileChange("a", null, `${lines.join("\n")}\n`);
  const shown = diff.split("\n").filter((line) => line.startsWith("+line")).length;
  expect(addedLines).toBe(20_000);
  expect(Buffer.byteLength(diff)).toBeLessThan(maxDiffBytes + 100);
  expect(diff.endsWith(`[diff cut: ${20_000 - shown} more lines]\n`)).toBe(true);
});

test("texts without a line in common are counted in bounded time", () => {
  const before = Array.from({ length: 60_000 }, (_, index) => `before ${index}`).join("\n");
  const after = Array.from({ length: 60_000 }, (_, index) => `after ${index}`).join("\n");
  const { addedLines, removedLines } = fileChange("a", before, after);
  expect([addedLines, removedLines]).toEqual([60_000, 60_000]);
});

test("a diff applied to the old text gives the new one", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", " ", "\r\n", "ż"), maxLength: 60 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { diff } = fileChange("a", before, after);
      expect(diff === undefined ? before : applyPatch(before, diff, { autoConvertLineEndings: false })).toBe(after);
    }),
  );
});

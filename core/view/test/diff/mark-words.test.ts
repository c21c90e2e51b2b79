/** Which words of changed lines are marked, from the text of a diff. */
import { expect, test } from "vitest";
import { comparedCharacters, comparedPairs } from "../../src/limits.ts";
import { parseDiff } from "../../src/diff/parse-diff.ts";

/** The marks of the lines that replace each other in one hunk. */
function marksOf(removed: readonly string[], added: readonly string[]): readonly unknown[] {
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  const diff = ["--- a/x", "+++ b/x", `@@ -1,${removed.length} +1,${added.length} @@`, ...lines, ""].join("\n");
  return parseDiff(diff).files.flatMap(({ hunks }) =>
    hunks.flatMap((hunk) => hunk.lines.map((line) => ("marks" in line ? line.marks : "none"))),
  );
}

test("a line with as many characters as are compared is marked by words, one longer is marked whole", () => {
  const longest = `${"x".repeat(comparedCharacters - 2)} `;
  expect(marksOf([`${longest}a`], [`${longest}b`])).toEqual([
    [{ from: comparedCharacters - 1, to: comparedCharacters }],
    [{ from: comparedCharacters - 1, to: comparedCharacters }],
  ]);
  expect(marksOf([`${longest}a`], [`${longest}bb`])).toEqual([null, null]);
  expect(marksOf([`${longest}aa`], [`${longest}b`])).toEqual([null, null]);
});

test("lines that share blanks only are marked whole", () => {
  expect(marksOf(["one two"], ["three four"])).toEqual([null, null]);
  expect(marksOf(["one two;"], ["three four;"])).toEqual([[{ from: 0, to: 7 }], [{ from: 0, to: 10 }]]);
});

test("of a repeated word no letter counts for the beginning and for the end", () => {
  expect(marksOf(["a a"], ["a a a"])).toEqual([[], [{ from: 3, to: 5 }]]);
  expect(marksOf(["a a a"], ["a a"])).toEqual([[{ from: 3, to: 5 }], []]);
});

test("lines are compared in pairs, as many as both sides have, up to the limit", () => {
  expect(marksOf(["a 1", "b 1"], ["a 2"])).toEqual([[{ from: 2, to: 3 }], null, [{ from: 2, to: 3 }]]);
  const removed = Array.from({ length: comparedPairs + 1 }, () => "a 1");
  const marks = marksOf(
    removed,
    removed.map(() => "a 2"),
  );
  expect(marks.filter((mark) => mark !== null)).toHaveLength(2 * comparedPairs);
});

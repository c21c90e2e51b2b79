import { array, assert, constantFrom, property } from "fast-check";
import { expect, test } from "vitest";
import { lineDiff } from "../src/line-diff.ts";

test("only what changed is shown, with three lines around it and the numbers of the lines", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  const after = lines.toSpliced(9, 1, "changed", "new");
  expect(lineDiff(`${lines.join("\n")}\n`, `${after.join("\n")}\n`)).toEqual({
    added: 2,
    removed: 1,
    lines: [
      "@@ -7 +7 @@",
      " line 7",
      " line 8",
      " line 9",
      "-line 10",
      "+changed",
      "+new",
      " line 11",
      " line 12",
      " line 13",
    ],
  });
});

test("the end of the last line counts; texts that are the same have no difference", () => {
  expect(lineDiff("a\n", "a")).toEqual({ added: 1, removed: 1, lines: ["@@ -1 +1 @@", "-a", "+a (no line end)"] });
  expect(lineDiff("a\nb", "a\nb")).toEqual({ added: 0, removed: 0, lines: [] });
  expect(lineDiff("", "a\n")).toEqual({ added: 1, removed: 0, lines: ["@@ -1 +1 @@", "+a"] });
});

test("what is too large to compare is shown as all gone and all new, and a long difference is cut", () => {
  const { added, removed, lines } = lineDiff(manyLines("old"), manyLines("new"));
  expect([added, removed, lines.length, lines.at(-1)]).toEqual([2000, 2000, 201, "… and 3801 more lines"]);
});

test("the marks lead from the one text to the other", () => {
  // So few lines that all of them are near the change of the first.
  const lines = array(constantFrom("a", "b", ""), { maxLength: 3 });
  assert(
    property(lines, lines, (before, after) => {
      const [head, ...marked] = lineDiff(textOf(["x", ...before]), textOf(["y", ...after])).lines;
      const of = (mark: string): readonly string[] =>
        marked.filter((line) => line.startsWith(mark) || line.startsWith(" ")).map((line) => line.slice(1));
      expect([head, of("-"), of("+")]).toEqual(["@@ -1 +1 @@", ["x", ...before], ["y", ...after]]);
    }),
  );
});

function manyLines(word: string): string {
  return textOf(Array.from({ length: 2000 }, (_, index) => `${word} ${index}`));
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

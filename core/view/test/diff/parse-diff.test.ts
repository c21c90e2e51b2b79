import { diffTexts, type TextNames } from "@capstan/diff";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { DiffLine } from "../../src/diff/diff-tree.ts";
import { diffLinesShown } from "../../src/limits.ts";
import { parseDiff } from "../../src/diff/parse-diff.ts";

function patch(before: string, after: string, names: TextNames = { before: "x.ts", after: "x.ts" }): string {
  return diffTexts(names, before, after).diff ?? "";
}

function linesOf(diff: string): readonly DiffLine[] {
  return parseDiff(diff).files.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines));
}

test("each line has its kind and its number in the file before and after", () => {
  const tree = parseDiff(patch("one\ntwo\nthree\n", "one\n2\nthree\nfour\n"));
  expect(tree).toEqual({
    linesLeftOut: 0,
    files: [
      {
        before: "x.ts",
        after: "x.ts",
        hunks: [
          {
            heading: "",
            lines: [
              { type: "same", before: 1, after: 1, text: "one" },
              { type: "removed", before: 2, text: "two", marks: null },
              { type: "added", after: 2, text: "2", marks: null },
              { type: "same", before: 3, after: 3, text: "three" },
              { type: "added", after: 4, text: "four", marks: null },
            ],
          },
        ],
      },
    ],
  });
});

test("lines that replace each other are marked where their words differ", () => {
  expect(linesOf(patch("const total = sum(a, b);\n", "const total = sum(a, b, c);\n"))).toMatchObject([
    { type: "removed", marks: [] },
    { type: "added", marks: [{ from: 22, to: 25 }] },
  ]);
  expect(linesOf(patch("let x = 1;\n", "let y = 1;\n"))).toMatchObject([
    { marks: [{ from: 4, to: 5 }] },
    { marks: [{ from: 4, to: 5 }] },
  ]);
});

test("a file that is new or gone has no name on that side; what follows a line is a note", () => {
  const created = patch("", "x", { before: null, after: "new.ts" });
  expect(parseDiff(created).files).toMatchObject([{ before: null, after: "new.ts" }]);
  expect(linesOf(created)).toMatchObject([{ type: "added" }, { type: "note", text: "No newline at end of file" }]);
  const deleted = patch("x\n", "", { before: "old.ts", after: null });
  expect(parseDiff(deleted).files).toMatchObject([{ before: "old.ts", after: null }]);
});

test("lines that look like the head of a diff are lines where a hunk says so", () => {
  const lines = linesOf(patch("a\n-- b/x\n@@ -1 +1 @@\n", "a\n++ c\n"));
  expect(lines.map((line) => [line.type, line.text])).toEqual([
    ["same", "a"],
    ["removed", "-- b/x"],
    ["removed", "@@ -1 +1 @@"],
    ["added", "++ c"],
  ]);
});

test("a diff that was cut says how much of it is missing, and a long one shows no more than the limit", () => {
  expect(parseDiff(`${patch("a\n", "b\n")}[diff cut: 12 more lines]\n`).linesLeftOut).toBe(12);
  const long = "+x\n".repeat(diffLinesShown + 7);
  expect(parseDiff(`--- /dev/null\n+++ b/x\n@@ -0,0 +1,${diffLinesShown + 7} @@\n${long}`).linesLeftOut).toBe(7);
});

const text = fc
  .array(fc.constantFrom("", "a", "b", "one two", "-- x", "++ y", "@@ -1 +1 @@", "\\ z"), { maxLength: 12 })
  .map((lines) => lines.map((line) => `${line}\n`).join(""));

test("each line of the diff is the line of that number in its file, and none that changed is missing", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const [old, now] = [before.split("\n"), after.split("\n")];
      const { diff = "", addedLines, removedLines } = diffTexts({ before: "x", after: "x" }, before, after);
      const lines = linesOf(diff);
      const isThere = lines.map((line) => {
        const isBefore = !("before" in line) || old[line.before - 1] === line.text;
        return isBefore && (!("after" in line) || now[line.after - 1] === line.text);
      });
      expect(isThere).not.toContain(false);
      const counts = ["added", "removed"].map((type) => lines.filter((line) => line.type === type).length);
      expect(counts).toEqual([addedLines, removedLines]);
    }),
  );
});

test("any text has a tree, and every mark lies inside of its line", () => {
  const any = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc
      .array(
        fc.constantFrom(
          "--- a/x",
          "+++ b/x",
          "@@ -1,2 +1,2 @@ f",
          "-a b",
          "+a c",
          " ",
          "\\ n",
          "[diff cut: 3 more lines]",
          "\u001b[2J",
        ),
        { maxLength: 30 },
      )
      .map((lines) => lines.join("\n")),
  );
  fc.assert(
    fc.property(any, (diff) => {
      const marks = linesOf(diff).flatMap((line) =>
        "marks" in line ? (line.marks ?? []).map((mark) => ({ ...mark, length: line.text.length })) : [],
      );
      expect(marks.filter(({ from, to, length }) => from >= to || to > length)).toEqual([]);
    }),
  );
});

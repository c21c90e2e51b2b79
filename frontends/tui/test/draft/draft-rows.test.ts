import { textWidth } from "@capstan/view";
import * as fc from "fast-check";
import { runs } from "@capstan/testkit";
import { expect, test } from "vitest";
import { draftOf, draftText, emptyDraft, insertPaste, insertText } from "../../src/draft/draft.ts";
import { draftRows, isAtEdge } from "../../src/draft/draft-rows.ts";
import { editDraft } from "../../src/draft/edit-draft.ts";
import { draftOfMarked, markedText } from "./marked-draft.ts";

test.each([
  ["one two three|", 9, ["one two ", "three"], { row: 1, column: 5 }],
  ["one two| three", 9, ["one two ", "three"], { row: 0, column: 7 }],
  ["abcdefghij|", 4, ["abcd", "efgh", "ij"], { row: 2, column: 2 }],
  ["a abcdefg|", 4, ["a ", "abcd", "efg"], { row: 2, column: 3 }],
  ["漢字漢|字", 5, ["漢字", "漢字"], { row: 1, column: 2 }],
  ["abcd|", 4, ["abcd"], { row: 0, column: 4 }],
  ["one\n\n|two", 9, ["one", "", "two"], { row: 2, column: 0 }],
  ["\ta|", 9, ["  a"], { row: 0, column: 3 }],
  ["|", 9, [""], { row: 0, column: 0 }],
] as const)("%j in %i cells", (marked, columns, rows, caret) => {
  expect(draftRows(draftOfMarked(marked), columns)).toMatchObject({ rows, caret });
});

test.each([
  ["one two th|ree", "up", "on|e two three"],
  ["one tw|o three", "down", "one two three|"],
  ["on|e two three", "down down", "one two th|ree"],
  ["one two th|ree\nab", "down up", "one two th|ree\nab"],
  ["a\n|b", "up up", "|a\nb"],
])("up and down go by rows: %j %s %j", (before, moves, after) => {
  let draft = draftOfMarked(before);
  for (const move of moves.split(" ")) {
    const isUp = move === "up";
    draft = isAtEdge(draft, isUp ? -1 : 1, 9) ? draft : editDraft(draft, isUp ? "up" : "down", 9);
  }
  expect(markedText(draft)).toBe(after);
});

const texts = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "漢", "e\u0301", "👩‍💻", "-"), maxLength: 60 });

test("rows hold all of a draft, none is wider than its columns, and the caret stands in its row", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 20 }), fc.nat(), (text, columns, moves) => {
      let draft = draftOf(text);
      for (let count = 0; count < moves % 60; count += 1) draft = editDraft(draft, "left", columns);
      const { rows, caret } = draftRows(draft, columns);
      expect(rows.join("")).toBe(text.replaceAll("\n", ""));
      expect(rows.filter((row) => textWidth(row) > columns)).toEqual([]);
      expect(caret.column).toBeLessThanOrEqual(textWidth(rows[caret.row] ?? ""));
    }),
    { numRuns: runs(1000) },
  );
});

test("down and up again lead through every row of a draft", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 20 }), (text, columns) => {
      let draft = editDraft(draftOf(text), "draft-start", columns);
      const { rows } = draftRows(draft, columns);
      const seen = [draftRows(draft, columns).caret.row];
      for (let count = 0; !isAtEdge(draft, 1, columns) && count < 200; count += 1) {
        draft = editDraft(draft, "down", columns);
        seen.push(draftRows(draft, columns).caret.row);
      }
      expect(seen).toEqual(rows.map((_, at) => at));
      for (let count = 0; !isAtEdge(draft, -1, columns) && count < 200; count += 1)
        draft = editDraft(draft, "up", columns);
      expect(draftRows(draft, columns).caret.row).toBe(0);
    }),
    { numRuns: runs(500) },
  );
});

test("a label that is wider than a row is cut, and its draft is not", () => {
  const draft = insertPaste(emptyDraft, "1\n2\n3", { lines: 1, characters: 1 });
  const { rows, caret } = draftRows(draft, 8);
  expect(rows.map((row) => textWidth(row))).toEqual([8]);
  expect(caret).toEqual({ row: 0, column: 8 });
  expect(draftText(draft)).toBe("[Paste #1 3 lines]");
});

test("typing leaves all other lines as they are, so that nothing of them is worked out again", () => {
  const draft = draftOf(`${"漢".repeat(5000)}\nsecond`);
  const typed = insertText(draft, "x");
  expect(typed.lines[0]).toBe(draft.lines[0]);
  expect(draftRows(typed, 80).rows.at(-1)).toBe("secondx");
});

import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { textCells, textWidth } from "../../src/layout/text-width.ts";

const widths: readonly (readonly [text: string, cells: number])[] = [
  ["", 0],
  ["plain", 5],
  ["─┌┐", 3],
  ["漢字", 4],
  ["ひらがな カー", 13],
  ["한글", 4],
  ["é", 1],
  ["e\u0301", 1],
  ["漢\u0301", 2],
  ["か\u3099", 2],
  ["👨‍👩‍👧", 2],
  ["🇨🇭", 2],
  ["▶\ufe0f", 2],
  ["Ａ", 2],
];

test.each(widths)("%j takes %d cells", (text, cells) => {
  expect(textWidth(text)).toBe(cells);
});

test("a text takes what its letters take, one by one", () => {
  const letters = fc.constantFrom(
    "a",
    " ",
    "─",
    "漢",
    "ひ",
    "한",
    "é",
    "\u0301",
    "\u3099",
    "🙂",
    "\ufe0f",
    "🇨",
    "👍🏽",
    "ー",
  );
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      expect(textWidth(text)).toBe([...textCells(text)].reduce((sum, [, cells]) => sum + cells, 0));
    }),
    { numRuns: runs(1000) },
  );
});

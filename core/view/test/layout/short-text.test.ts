import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { shortText } from "../../src/layout/row.ts";
import { textWidth } from "../../src/layout/text-width.ts";

test.each([
  ["plain", 5, "plain"],
  ["plain", 4, "pla…"],
  ["a b c", 3, "a…"],
  ["漢字漢字", 8, "漢字漢字"],
  ["漢字漢字", 7, "漢字漢…"],
  ["漢字漢字", 6, "漢字…"],
  ["👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"],
  ["plain", 1, "…"],
])("%j in %d columns is %j", (text, columns, expected) => {
  expect(shortText(text, columns)).toBe(expected);
  expect(shortText(expected, columns)).toBe(expected);
});

test("a text never takes more than its columns, and begins as it did", () => {
  const letters = fc.constantFrom("a", " ", "漢", "\u0301", "🙂", "👍🏽", "─");
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 12 }), fc.integer({ min: 1, max: 20 }), (parts, columns) => {
      const text = parts.join("");
      const short = shortText(text, columns);
      expect(textWidth(short)).toBeLessThanOrEqual(columns);
      expect(short === text || (short.endsWith("…") && text.startsWith(short.slice(0, -1)))).toBe(true);
    }),
    { numRuns: runs(1000) },
  );
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { textWidth, wrapText } from "../../src/index.ts";

test("a line is broken between words, and what follows stands a little further in", () => {
  expect(wrapText("  ✗ denied: npm run fmt: the user said no", 22)).toEqual([
    "  ✗ denied: npm run",
    "    fmt: the user said",
    "    no",
  ]);
  expect(wrapText("4 edit · 5 no · v details > ", 18)).toEqual(["4 edit · 5 no · v", "  details > "]);
});

test("what has room stays as it is, and so do blanks within a row", () => {
  expect(wrapText("a  b", 4)).toEqual(["a  b"]);
  expect(wrapText("echo 'a  b' and more", 12)).toEqual(["echo 'a  b'", "and more"]);
});

test("a word that is wider than a row stays whole, for whoever copies it", () => {
  expect(wrapText("see /a/very/long/path/that/never/ends here", 20)).toEqual([
    "see",
    "  /a/very/long/path/that/never/ends",
    "  here",
  ]);
});

test("no word is lost or cut, whatever the line and the width", () => {
  const words = fc.array(fc.constantFrom("a", "word", "日本語", "a-longer-word", "👩‍👩‍👧", "·"), { maxLength: 30 });
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 60 }), fc.nat({ max: 8 }), (all, columns, lead) => {
      const text = " ".repeat(lead) + all.join(" ");
      const rows = wrapText(text, columns);
      expect(rows.join(" ").split(/ +/).filter(Boolean)).toEqual(all);
      const tooWide = rows
        .map((row) => row.trim())
        .filter((row) => / /.test(row) && textWidth(row.replace(/ \S+$/, "")) > columns);
      expect(tooWide).toEqual([]);
    }),
  );
});

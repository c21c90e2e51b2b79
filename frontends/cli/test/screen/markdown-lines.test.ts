import { parseMarkdown, textWidth } from "@capstan/view";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { markdownLines } from "../../src/screen/markdown-lines.ts";

function drawn(text: string, columns = 40, colors = false): readonly string[] {
  return markdownLines(parseMarkdown(text), { columns, colors });
}

test("paragraphs are wrapped to the width, words whole, and marks are not shown", () => {
  expect(drawn("A **strong** word, `code`, and *more* of it than fits on a line of forty.")).toEqual([
    "A strong word, code, and more of it than",
    "fits on a line of forty.",
  ]);
});

test("headings, lists, quotes and code stand apart, code as it is", () => {
  const text =
    "# Title\n\n- one\n- two is longer than the others are\n\n1. first\n\n> said\n\n```js\nlet a = 1;\n```\n";
  expect(drawn(text, 20)).toEqual([
    "# Title",
    "",
    "• one",
    "• two is longer than",
    "  the others are",
    "",
    "1. first",
    "",
    "│ said",
    "",
    "  let a = 1;",
  ]);
});

test("a table stands in columns where it fits, else cell by cell", () => {
  const table = "| name | size |\n| --- | --- |\n| a.txt | 12 |\n";
  expect(drawn(table)).toEqual(["name  │ size", "a.txt │ 12"]);
  expect(drawn(table, 10)).toEqual(["name:", "a.txt", "size: 12"]);
});

test("where a link leads is shown when its words say something else", () => {
  expect(drawn("[here](https://a.org/x)", 60)).toEqual(["here (https://a.org/x)"]);
});

test("colours are codes around words, and none where they are not wanted", () => {
  expect(drawn("**b**", 40, true)).toEqual(["\u001b[1mb\u001b[0m"]);
  expect(drawn("**b** `c` [l](https://a.org)").join("")).not.toContain("\u001b");
});

test("no line of text is wider than the terminal, whatever it says", () => {
  const words = fc.string({ unit: fc.constantFrom("a", "漢", "👩‍💻", "é", " ", "*", "`", "_", "-") });
  fc.assert(
    fc.property(words, fc.integer({ min: 20, max: 60 }), (text, columns) => {
      const blocks = parseMarkdown(text).filter(({ type }) => type === "paragraph");
      for (const line of markdownLines(blocks, { columns, colors: false }))
        expect(textWidth(line)).toBeLessThanOrEqual(columns);
    }),
  );
});

import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { markdownDepth, openMarkdownCharacters } from "../../src/limits.ts";
import type { Block, Span } from "../../src/markdown/block.ts";
import {
  appendMarkdown,
  blocksOf,
  emptyMarkdown,
  type MarkdownText,
  parseMarkdown,
} from "../../src/markdown/markdown.ts";
import { itemAt, itemsOf } from "../../src/transcript/persistent-list.ts";

function text(words: string): Span {
  return { type: "text", text: words };
}

function paragraph(...spans: readonly (Span | string)[]): Block {
  return { type: "paragraph", spans: spans.map((span) => (typeof span === "string" ? text(span) : span)) };
}

test("the blocks of a text", () => {
  const source = [
    "# One **two**",
    "",
    "words",
    "on two lines",
    "",
    "> quoted",
    "",
    "3. three",
    "4. four",
    "   - inner",
    "",
    "- [x] done",
    "- [ ] open",
    "",
    "```ts {1}",
    "const a = 1;",
    "```",
    "",
    "| a | b |",
    "| :- | -: |",
    "| 1 | `2` |",
    "",
    "---",
    "",
    "    indented",
  ].join("\n");
  expect(parseMarkdown(source)).toEqual([
    { type: "heading", level: 1, spans: [text("One "), { type: "strong", spans: [text("two")] }] },
    paragraph("words\non two lines"),
    { type: "quote", blocks: [paragraph("quoted")] },
    {
      type: "list",
      start: 3,
      items: [
        { isDone: null, blocks: [paragraph("three")] },
        {
          isDone: null,
          blocks: [
            paragraph("four"),
            { type: "list", start: null, items: [{ isDone: null, blocks: [paragraph("inner")] }] },
          ],
        },
      ],
    },
    {
      type: "list",
      start: null,
      items: [
        { isDone: true, blocks: [paragraph("done")] },
        { isDone: false, blocks: [paragraph("open")] },
      ],
    },
    { type: "code", language: "ts", text: "const a = 1;" },
    {
      type: "table",
      columns: [
        { align: "left", head: [text("a")] },
        { align: "right", head: [text("b")] },
      ],
      rows: [[[text("1")], [{ type: "code", text: "2" }]]],
    },
    { type: "rule" },
    { type: "code", language: "", text: "indented" },
  ]);
});

test("the pieces of a line", () => {
  expect(parseMarkdown("*a* ~~b~~ `c` \\*d\\* e&lt;f &copy;  \ng")).toEqual([
    paragraph(
      { type: "emphasis", spans: [text("a")] },
      " ",
      { type: "strike", spans: [text("b")] },
      " ",
      { type: "code", text: "c" },
      " *d* e<f &copy;",
      { type: "break" },
      "g",
    ),
  ]);
});

test("tasks that stand apart from each other have no box in their words", () => {
  expect(parseMarkdown("- [x] done\n\n- [ ] open\n")).toEqual([
    {
      type: "list",
      start: null,
      items: [
        { isDone: true, blocks: [paragraph("done")] },
        { isDone: false, blocks: [paragraph("open")] },
      ],
    },
  ]);
});

test("HTML and definitions of links are text like any other", () => {
  expect(parseMarkdown("<script>alert(1)</script>\n\na <b>c</b>\n\n[x]: #y")).toEqual([
    paragraph("<script>alert(1)</script>"),
    paragraph("a <b>c</b>"),
    paragraph("[x]: #y"),
  ]);
});

test.each([
  ["[docs](https://Example.org/a?b#c)", "https://Example.org/a?b#c", "example.org", true],
  ["<https://example.org/>", "https://example.org/", "example.org", false],
  ["https://example.org/a", "https://example.org/a", "example.org", false],
  ["[example.org](https://example.org)", "https://example.org", "example.org", false],
  ["[https://example.org](https://evil.test)", "https://evil.test", "evil.test", true],
  ["[a](https://example.org@evil.test/)", "https://example.org@evil.test/", "evil.test", true],
  ["[a](https://evil.test\\\\@example.org/)", "https://evil.test\\@example.org/", "evil.test", true],
  ["[a](https:evil.test)", "https:evil.test", "evil.test", true],
  ["[a](http://[::1]:80/)", "http://[::1]:80/", "[::1]:80", true],
  ["[a](javascript:alert)", "javascript:alert", null, true],
  ["[a](&#106;avascript:alert)", "javascript:alert", null, true],
  ["[a](src/a.ts)", "src/a.ts", null, true],
  ["[a](https://ex%20ample.org)", "https://ex%20ample.org", null, true],
])("%s leads to %s", (source, address, host, differs) => {
  expect(parseMarkdown(source)).toMatchObject([
    { type: "paragraph", spans: [{ type: "link", target: { address, host, differs } }] },
  ]);
});

test("an image is its words and its address, and nothing that loads", () => {
  expect(parseMarkdown("![a cat](https://example.org/cat.png)")).toEqual([
    paragraph({
      type: "image",
      text: "a cat",
      target: { address: "https://example.org/cat.png", host: "example.org", differs: true },
    }),
  ]);
});

test("code that is still being written is code, and its last line closes it also without a line end", () => {
  expect(parseMarkdown("~~~sh\nnpm test\nnpm r")).toEqual([{ type: "code", language: "sh", text: "npm test\nnpm r" }]);
  expect(parseMarkdown("```\na\n```")).toEqual([{ type: "code", language: "", text: "a" }]);
  expect(parseMarkdown("  ````\n  a\n   b\n```\n`````\nc")).toEqual([
    { type: "code", language: "", text: "a\n b\n```" },
    paragraph("c"),
  ]);
});

const line = fc.constantFrom(
  "",
  " ",
  "a",
  "b c",
  "# h",
  "#",
  "- x",
  "-",
  "  - y",
  "    z",
  "1. n",
  "> q",
  ">",
  "---",
  "===",
  "***",
  "```",
  "```js",
  "~~~",
  " ```",
  "a|b",
  "-|-",
  "1|2",
  "<div>",
  "</div>",
  "<!--",
  "-->",
  "<pre>",
  "[r]: /u",
  "'t'",
  "[r]",
  "**s",
  "_e_",
  "- [ ] t",
  "\t- tab",
  "  ",
  "&lt;",
  "\u001b[2Jx",
  "\u202e",
  "\r",
  "😀",
  "[a](b)",
  "![i](j)",
  "https://e.org",
  "- > - q",
);
const source = fc.oneof(
  { weight: 5, arbitrary: fc.array(line, { maxLength: 14 }).map((lines) => lines.join("\n")) },
  { weight: 2, arbitrary: fc.array(line, { maxLength: 14 }).map((lines) => lines.join("")) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 120 }) },
);

function pieces(whole: string, cuts: readonly number[]): readonly string[] {
  const places = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...places].map((from, at) => whole.slice(from, places[at] ?? whole.length));
}

test("however a text is cut, it has the same blocks, and what was final stays", () => {
  fc.assert(
    fc.property(source, fc.array(fc.nat(), { maxLength: 12 }), (whole, cuts) => {
      let markdown: MarkdownText = emptyMarkdown;
      for (const piece of pieces(whole, cuts)) {
        const before = markdown;
        markdown = appendMarkdown(markdown, piece);
        const changed = [...itemsOf(before.final)].filter((block, at) => itemAt(markdown.final, at) !== block);
        expect(changed).toEqual([]);
      }
      expect(blocksOf(markdown)).toEqual(parseMarkdown(whole));
    }),
    { numRuns: runs(1000) },
  );
});

test("a text that is longer than what is read at once has the same blocks in one piece and in many", () => {
  const long = fc
    .array(fc.tuple(line, fc.integer({ min: 1, max: 400 })), { minLength: 10, maxLength: 30 })
    .map((parts) => parts.map(([words, count]) => `${words}\n`.repeat(count)).join(""));
  fc.assert(
    fc.property(long, fc.integer({ min: 1000, max: 20_000 }), (whole, size) => {
      const cuts = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
        whole.slice(at * size, (at + 1) * size),
      );
      expect(blocksOf(cuts.reduce(appendMarkdown, emptyMarkdown))).toEqual(parseMarkdown(whole));
    }),
    { numRuns: 15 },
  );
});

test("nothing in a tree acts on a terminal, whatever was written, also by number", () => {
  const bad = fc.constantFrom(
    "\u001b[2J",
    "\u001b]0;t\u0007",
    "\u202e",
    "\u0085",
    "&#27;[2J",
    "&#x202e;",
    "&#0;",
    "\u009b1m",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(line, bad), { maxLength: 20 }), fc.constantFrom("\n", "", " "), (words, between) => {
      // oxlint-disable-next-line no-control-regex -- control characters are what this is about
      expect(JSON.stringify(parseMarkdown(words.join(between)))).not.toMatch(/\\u00[01][0-9a-f]|[\u007f-\u009f\u202e]/);
    }),
  );
});

function depthOf(blocks: readonly Block[]): number {
  const inner = blocks.map((block): number => {
    if (block.type === "quote") return depthOf(block.blocks);
    return block.type === "list" ? Math.max(...block.items.map((item) => depthOf(item.blocks))) : 0;
  });
  return 1 + Math.max(0, ...inner);
}

test.each([
  [">", 5000],
  ["- ", 5000],
  ["> - ", 3000],
  ["*a ", 5000],
  ["[", 5000],
  ["![", 5000],
  ["**a _b ", 2000],
  ["~~a ", 4000],
  ["`a", 7000],
  ["<", 15_000],
  ["&", 15_000],
  ["[a](", 4000],
  ["|", 15_000],
  ["a\u0301", 8000],
])("%j over and over has a tree of bounded depth, and loses no word after it", (unit, count) => {
  const blocks = parseMarkdown(`${unit.repeat(count)}\n\nthe end`);
  expect(depthOf(blocks)).toBeLessThanOrEqual(markdownDepth + 2);
  expect(blocks.at(-1)).toEqual(paragraph("the end"));
});

test("a paragraph that is longer than what is read at once loses no word", () => {
  const words = Array.from({ length: 1500 }, (_, at) => `w${at}`).join(" ");
  expect(parseMarkdown(`${words} *end*`)).toEqual([paragraph(`${words} `, { type: "emphasis", spans: [text("end")] })]);
});

test("a long answer is read in bounded parts: no more than one of them is left open", () => {
  let markdown: MarkdownText = emptyMarkdown;
  for (let at = 0; at < 60; at += 1)
    markdown = appendMarkdown(markdown, `- item ${at} of a list without an end\n`.repeat(20));
  const { source: rest } = markdown;
  expect(rest.type === "blocks" ? rest.text.length : Infinity).toBeLessThanOrEqual(openMarkdownCharacters);
  expect(markdown.final.length).toBeGreaterThan(3);
});

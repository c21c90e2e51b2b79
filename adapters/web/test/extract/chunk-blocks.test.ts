import { textTokens } from "@capstan/context";
import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { chunkBlocks } from "../../src/extract/chunk-blocks.ts";

const words = fc.array(
  fc.oneof(fc.stringMatching(/^[a-z]{1,12}[.,!?]?$/), fc.constantFrom("👩‍🚀", "日本語。", "naïve")),
  {
    minLength: 1,
    maxLength: 120,
  },
);

function wordsOf(texts: readonly string[]): string {
  return texts.join("").replaceAll(/\s/g, "");
}

test("a text of any length is cut into chunks that fit, and nothing of it is lost or in pieces", () => {
  fc.assert(
    fc.property(
      fc.array(words, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 8, max: 60 }),
      (paragraphs, maxTokens) => {
        const texts = paragraphs.map((each) => each.join(" "));
        const chunks = chunkBlocks(
          texts.map((text) => ({ type: "text", text }) as const),
          maxTokens,
        );
        expect(wordsOf(chunks.map(({ text }) => text))).toBe(wordsOf(texts));
        for (const { text, tokenCount } of chunks) {
          expect(text.isWellFormed()).toBe(true);
          expect(tokenCount).toBeLessThanOrEqual(maxTokens);
        }
      },
    ),
    { numRuns: runs(1000) },
  );
});

test("a paragraph is cut behind a sentence in the second half of what fits, else behind a word, else anywhere", () => {
  const sentence = "One two three four five six. ";
  const [first, second] = chunkBlocks([{ type: "text", text: sentence.repeat(6) }], 20);
  expect([first?.text.endsWith("six."), second?.text.startsWith("One")]).toEqual([true, true]);
  const [words1, words2] = chunkBlocks([{ type: "text", text: "word ".repeat(60) }], 20);
  expect([words1?.text.endsWith(" word"), words2?.text.startsWith("word ")]).toEqual([true, true]);
  const pieces = chunkBlocks([{ type: "text", text: "x".repeat(400) }], 20);
  expect([pieces.length > 1, pieces.map(({ text }) => text).join("")]).toEqual([true, "x".repeat(400)]);
});

test("a list stays whole however long it is, and a heading begins a chunk of its own", () => {
  const list = "- item\n".repeat(200);
  const chunks = chunkBlocks(
    [
      { type: "text", text: "before" },
      { type: "heading", text: "Title" },
      { type: "whole", text: list },
      { type: "text", text: "after" },
    ],
    20,
  );
  expect(chunks.map(({ heading, text }) => [heading, text])).toEqual([
    ["", "before"],
    ["Title", list],
    ["Title", "after"],
  ]);
  expect(chunks[1]?.tokenCount).toBe(Math.ceil(textTokens(list)));
});

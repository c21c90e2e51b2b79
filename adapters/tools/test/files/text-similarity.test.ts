import { expect, test } from "vitest";
import { similarityTo } from "../../src/files/text-similarity.ts";

test("texts are as alike as the pairs of neighbours they share: the same text is 1, however short, and none is 0", () => {
  for (const text of ["", "a", "ab", "read_file"]) expect(similarityTo(text)(text)).toBe(1);
  expect([similarityTo("a")("b"), similarityTo("")("a"), similarityTo("abc")("xyz")]).toEqual([0, 0, 0]);
  // Of nine and eight pairs eight are shared: not the one before the last letter.
  expect(similarityTo("read_files")("read_file")).toBe(16 / 17);
  expect(similarityTo("aaaa")("aa")).toBe(2 / 4);
  expect(similarityTo("aa")("aaaa")).toBe(2 / 4);
});

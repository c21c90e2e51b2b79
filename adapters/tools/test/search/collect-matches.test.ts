import { expect, test } from "vitest";
import { MatchCollection } from "../../src/search/collect-matches.ts";
import { maxCountedMatches } from "../../src/search/limits.ts";

const matches = (count: number) => Array.from({ length: count }, (_, at) => ({ line: at + 1, column: 0, text: "x" }));

function shown(collection: MatchCollection): readonly string[] {
  return collection.first().map((file) => `${file.path} ${file.matches.length} of ${file.matchCount}`);
}

test("of files, the first in the order of their paths are kept, whenever they come, and all are counted", () => {
  const found = new MatchCollection(2, "files");
  for (const [path, count] of [
    ["d", 9],
    ["b", 1],
    ["c", 3],
  ] as const)
    found.take(path, matches(count));
  expect(shown(found)).toEqual(["b 1 of 1", "c 2 of 3"]);
  found.take("a", matches(2));
  expect(shown(found)).toEqual(["a 2 of 2", "b 1 of 1"]);
  expect([found.fileCount, found.matchCount]).toEqual([4, 15]);
});

test("of matching lines, files are kept until there are as many as the limit, the last one whole", () => {
  const found = new MatchCollection(4, "matches");
  for (const [path, count] of [
    ["c", 1],
    ["b", 3],
    ["a", 1],
  ] as const)
    found.take(path, matches(count));
  expect(shown(found)).toEqual(["a 1 of 1", "b 3 of 3"]);
  found.take("aa", matches(2));
  expect(shown(found)).toEqual(["a 1 of 1", "aa 2 of 2", "b 3 of 3"]);
});

test("one match more than is counted stops the search", () => {
  const found = new MatchCollection(1, "matches");
  expect([found.take("a", matches(maxCountedMatches)), found.take("b", matches(1))]).toEqual(["continue", "stop"]);
});

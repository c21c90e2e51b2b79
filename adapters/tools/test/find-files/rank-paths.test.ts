import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rankPaths } from "../../src/find-files/rank-paths.ts";

const paths = [
  "src/session-hub.ts",
  "src/hub/index.ts",
  "test/hub.ts",
  "docs/sheep-bug.md",
  "src/SessionHub.md",
  "hub.ts",
];

test.each([
  ["hub.ts", "hub.ts"],
  ["sehub", "src/SessionHub.md"],
  ["hubindex", "src/hub/index.ts"],
  ["SHEEP", "docs/sheep-bug.md"],
])("%s means %s first", (text, first) => {
  expect(rankPaths(paths, text)[0]).toBe(first);
});

test("what lacks a letter is left out, and without letters the shortest come first", () => {
  expect(rankPaths(paths, "zzz")).toEqual([]);
  expect(rankPaths(paths, "bush")).toEqual([]);
  expect(rankPaths(paths, "").slice(0, 2)).toEqual(["hub.ts", "test/hub.ts"]);
});

test("whatever is found has the letters in order, once each, and the order of the paths does not matter", () => {
  const letter = fc.constantFrom("a", "b", "A", "/", "-");
  const word = fc.array(letter, { maxLength: 8 }).map((letters) => letters.join(""));
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 12 }), word, (all, text) => {
      const found = rankPaths(all, text);
      expect(rankPaths(all.toReversed(), text)).toEqual(found);
      const letters = text.toLowerCase().split("");
      const has = (path: string): boolean => {
        let at = -1;
        return letters.every((each) => (at = path.toLowerCase().indexOf(each, at + 1)) !== -1);
      };
      expect([...found].toSorted()).toEqual(all.filter(has).toSorted());
    }),
  );
});

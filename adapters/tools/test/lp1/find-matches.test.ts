import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findFirstMatch, findMatches } from "../../src/lp1/find-matches.ts";

/** Few different lines, so that beginnings repeat themselves. */
const lines = fc.array(fc.constantFrom("a", "b"), { maxLength: 14 });
const find = fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 7 });

function standsAt(all: readonly string[], sought: readonly string[], place: number): boolean {
  return place + sought.length <= all.length && sought.every((line, at) => all[place + at] === line);
}

test("the places, and the first from a line on, are those that trying every place finds", () => {
  fc.assert(
    fc.property(lines, find, fc.nat(14), (all, sought, from) => {
      const places = all.map((_, place) => place).filter((place) => standsAt(all, sought, place));
      expect(findMatches(all, sought)).toEqual(places);
      expect(findFirstMatch(all, sought, from)).toBe(places.find((place) => place >= from));
    }),
    { numRuns: runs(3000) },
  );
});

test.each([
  [["a", "a", "b", "a", "a", "a", "b"], ["a", "a", "a", "b"], 3],
  [["a", "b", "a", "b", "a", "b", "b"], ["a", "b", "a", "b", "b"], 2],
  [["a", "a", "b", "a", "a", "b", "a", "a", "a"], ["a", "a", "b", "a", "a", "a"], 3],
])("what begins again inside itself is found: %j", (all, sought, place) => {
  expect(findFirstMatch(all, sought, 0)).toBe(place);
});

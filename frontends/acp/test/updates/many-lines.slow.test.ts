import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyEvents, anyFeatures, checkedLines } from "./any-session.ts";

test("ten thousand generated lines fit the published schema", () => {
  let lines = 0;
  fc.assert(
    fc.property(anyEvents, anyFeatures, (events, features) => {
      const checked = checkedLines(events, features);
      lines += checked.length;
      expect(checked.filter((problem) => problem !== null)).toEqual([]);
    }),
    { numRuns: 1000 },
  );
  expect(lines).toBeGreaterThan(10_000);
});

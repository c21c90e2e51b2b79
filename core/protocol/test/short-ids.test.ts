import { shortIds } from "@capstan/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";

test("a short id is the shortest beginning of four characters or more that no other id has", () => {
  const id = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(id, { maxLength: 12 }), (ids) => {
      const short = shortIds(ids);
      expect(new Set(short.keys())).toEqual(new Set(ids));
      for (const [whole, beginning] of short) {
        const others = ids.filter((other) => other !== whole);
        const isFree = (length: number): boolean => !others.some((other) => other.startsWith(whole.slice(0, length)));
        const shortest = [4, 5, 6, 7, 8].find(isFree);
        expect([whole, beginning]).toEqual([whole, whole.slice(0, shortest)]);
      }
    }),
    { numRuns: 100 },
  );
});

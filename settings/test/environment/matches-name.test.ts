import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nameMatcher } from "../../src/environment/matches-name.ts";

/** What a pattern means, written down slowly: `*` is any characters, everything else itself, case aside. */
function reference(name: string, pattern: string): boolean {
  return new RegExp(`^${pattern.replaceAll("*", ".*")}$`, "is").test(name);
}

test("any name and pattern without special characters fit exactly when the regular expression says so", () => {
  const name = fc.string({ unit: fc.constantFrom("a", "A", "b", "_"), maxLength: 8 });
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "_", "*"), maxLength: 6 });
  fc.assert(
    fc.property(name, fc.array(pattern, { maxLength: 3 }), (text, patterns) => {
      expect(nameMatcher(patterns)(text)).toBe(patterns.some((each) => reference(text, each)));
    }),
    { numRuns: 2000 },
  );
});

test("characters that mean something in regular expressions mean themselves", () => {
  expect(nameMatcher(["a.c"])("A.C")).toBe(true);
  for (const pattern of ["A.C", "A[B]C", "(ABC)", "ABC|X", "^ABC$", "AB?C", "AB+C", "\\ABC"])
    expect([pattern, nameMatcher([pattern])("ABC")]).toEqual([pattern, false]);
});

test("a long name and a pattern full of stars are answered at once", () => {
  expect(nameMatcher([`${"*a".repeat(500)}*b`])("a".repeat(50_000))).toBe(false);
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { foldLetters, foldPath } from "../src/fold-path.ts";

const odd = fc.constantFrom(
  "ſ",
  "K",
  "ß",
  "ẞ",
  "Σ",
  "ς",
  "İ",
  "ı",
  "é",
  "e\u0301",
  "\u200d",
  "．",
  "ﬁ",
  "Å",
  "\u0345",
  "ᾳ",
  "A",
  "z",
  ".",
);
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.array(odd, { maxLength: 8 }).map((all) => all.join("")),
);

test("folding again changes nothing, nor does the case or the form of letters", () => {
  fc.assert(
    fc.property(text, (one) => {
      const folded = foldLetters(one);
      const alike = [folded, one.toUpperCase(), one.normalize("NFC"), one.normalize("NFD"), one.normalize("NFKC")];
      expect(alike.map(foldLetters)).toEqual(alike.map(() => folded));
    }),
    { numRuns: 5000 },
  );
});

test("every name is folded by itself", () => {
  fc.assert(
    fc.property(text, text, (folder, name) => {
      expect(foldPath(`${folder}/${name}`)).toBe(`${foldPath(folder)}/${foldPath(name)}`);
    }),
  );
});

test("dots, spaces and data streams at the end of a name do not count", () => {
  expect(["A.", "a. .", "a:stream", "A::$DATA"].map(foldPath)).toEqual(["a", "a", "a", "a"]);
  expect(["..", ".a", ":a"].map(foldPath)).toEqual(["..", ".a", ":a"]);
});

test("a path without such signs is folded as one with them is", () => {
  const plain = fc.array(fc.constantFrom("a", "B", ".", ":", " ", "/", "-"), { maxLength: 8 });
  fc.assert(
    fc.property(
      plain.map((all) => all.join("")),
      (path) => {
        expect(`x/${foldPath(path)}`).toBe(foldPath(`x:/${path}`));
      },
    ),
    { numRuns: 2000 },
  );
});

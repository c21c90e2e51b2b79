import * as fc from "fast-check";
import { runs } from "@capstan/testkit";
import { expect, test } from "vitest";
import { beginsText, compileRegex, occursInText, type Regex } from "../src/regex/regex.ts";

function regex(source: string): Regex {
  const compiled = compileRegex(source);
  if ("problem" in compiled) throw new Error(compiled.problem);
  return compiled;
}

const atoms = ["a", "b", ".", "\\w", "\\s", "\\S", "[ab]", "[^a]", "[a-c]", "\\b", "^", "(?:ab|b)", "(a|)", "\\.", "-"];
const repeats = ["", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,}", "*?"];
const sources: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.constantFrom(...atoms), fc.constantFrom(...repeats), fc.constantFrom("", "", "|")), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) =>
    parts.map(([atom, repeat, joint]) => atom + (/^(?:\\b|\^)$/.test(atom) ? "" : repeat) + joint).join(""),
  );
const texts = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "-", ".", "_", "A", "\n"), maxLength: 12 });

test("it finds what JavaScript finds", () => {
  fc.assert(
    fc.property(sources, texts, (source, text) => {
      expect({ source, text, found: occursInText(regex(source), text) }).toEqual({
        source,
        text,
        found: new RegExp(source).test(text),
      });
    }),
    { numRuns: runs(3000) },
  );
});

test("from the beginning is what JavaScript finds with a sticky flag", () => {
  fc.assert(
    fc.property(sources, texts, (source, text) => {
      expect({ source, text, found: beginsText(regex(source), text) }).toEqual({
        source,
        text,
        found: new RegExp(source, "y").test(text),
      });
    }),
    { numRuns: runs(2000) },
  );
});

test("the end of the text is before a last line break, as in Python", () => {
  const end = regex("a$");
  expect(["a", "a\n", "a\nb", "ab"].map((text) => occursInText(end, text))).toEqual([true, true, false, false]);
});

test("case makes no difference with the flag `i`, in ranges too", () => {
  const drop = regex("(?i)drop [a-z]+");
  expect(["DROP TABLE", "drop x", "Drop 1"].map((text) => occursInText(drop, text))).toEqual([true, true, false]);
});

test("patterns that make others try forever cost no more than others", () => {
  const text = `${"a".repeat(20_000)}!`;
  expect(["(a+)+$", "(a|a)*b", "(a*)*c", "(.*a){10}b"].map((source) => occursInText(regex(source), text))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test("what it cannot do is refused, with the reason", () => {
  const refused = [
    "(?=a)",
    "(?!a)",
    "(?<=a)",
    "(a)\\1",
    "a++",
    "(",
    "a)",
    "[a",
    "*a",
    "a{3,2}",
    "a{1000}",
    "(?x)a",
    "\\q",
    "",
    "(((a{99}){99}){99})",
  ];
  expect(refused.filter((source) => !("problem" in compileRegex(source)))).toEqual([]);
});

import { expect, test } from "vitest";
import { compileRegex, occursInText } from "../src/regex/regex.ts";

/** Every ASCII character but the line breaks, which end a text in other places than in JavaScript. */
const characters = Array.from({ length: 128 }, (_, code) => String.fromCodePoint(code)).filter(
  (character) => character !== "\n",
);

/** The characters that a pattern takes. */
function taken(source: string): string {
  const regex = compileRegex(source);
  if ("problem" in regex) throw new Error(`${source}: ${regex.problem}`);
  return characters.filter((character) => occursInText(regex, character)).join("");
}

const sets = [
  "\\d",
  "\\D",
  "\\w",
  "\\W",
  "[a-z]",
  "[^a-z]",
  "[@-Z]",
  "[Z-a]",
  "[a-]",
  "[-a]",
  "[\\d-]",
  "[\\]a]",
  "[\\w.]",
  "[\\b]",
  "[\\t-\\r]",
  "[a-cx-z]",
  "\\.",
  "\\t",
  "\\f",
  "\\v",
  "\\r",
  "\\-",
  "\\/",
  "\\{",
  "a\\b",
  "\\bz",
];

test.each(sets)("%s takes the characters that it takes in JavaScript", (source) => {
  const expected = characters.filter((character) => new RegExp(source).test(character)).join("");
  expect(taken(source)).toBe(expected);
});

test.each(["a", "Z", "[a-c]", "[X-Z]", "[^m]", "[@-Z]", "[Z-a]", "\\w", "k"])(
  "%s without case takes the characters that it takes in JavaScript",
  (source) => {
    const expected = characters.filter((character) => new RegExp(source, "i").test(character)).join("");
    expect(taken(`(?i)${source}`)).toBe(expected);
  },
);

test("blanks are those of Python, and a dot takes all but the line feed", () => {
  const blanks = "\t\v\f\r\u001C\u001D\u001E\u001F ";
  expect([taken("\\s"), taken("[\\s]"), taken(".")]).toEqual([blanks, blanks, characters.join("")]);
  const others = characters.filter((character) => !blanks.includes(character)).join("");
  expect([taken("\\S"), taken("[^\\s]"), taken("[\\S]")]).toEqual([others, others, others]);
});

test("a word character is a letter or a digit of any script", () => {
  const word = compileRegex("\\w");
  if ("problem" in word) throw new Error(word.problem);
  expect(["é", "٣", "中", "\u0080", "–", "€"].map((text) => occursInText(word, text))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

/** How many of a letter a pattern takes. */
function counts(source: string): readonly number[] {
  const regex = compileRegex(`^x${source}y`);
  if ("problem" in regex) throw new Error(regex.problem);
  return [0, 1, 2, 3, 4, 5].filter((count) => occursInText(regex, `x${"a".repeat(count)}y`));
}

test("repeats take as many as they say and no more", () => {
  expect(["a*", "a+", "a?", "a{2}", "a{1,3}", "a{3,}", "a{0,0}"].map(counts)).toEqual([
    [0, 1, 2, 3, 4, 5],
    [1, 2, 3, 4, 5],
    [0, 1],
    [2],
    [1, 2, 3],
    [3, 4, 5],
    [0],
  ]);
});

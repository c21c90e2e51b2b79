import { expect, test } from "vitest";
import { matcherProblem, matchesName } from "@capstan/hook-points";

const names = ["write_file", "Write"];

test.each([
  ["", true],
  ["*", true],
  ["Write", true],
  ["write_file", true],
  ["write", false],
  ["Writ", false],
  ["Edit|Write", true],
  ["Edit | Write", true],
  ["Edit,Write", true],
  ["Edit|Read", false],
  ["Wr.*", true],
  ["^mcp__", false],
  ["^(Write|Edit)$", true],
  ["[", true],
])("the matcher %j means %j", (matcher, means) => {
  expect(matchesName(matcher, names)).toBe(means);
});

test("what cannot be read is said where it is written", () => {
  expect([matcherProblem("["), matcherProblem("*"), matcherProblem("A|B")]).toEqual([
    "it is no regular expression",
    undefined,
    undefined,
  ]);
});

test("an expression looks at no more of a name than its bound", () => {
  expect(matchesName("x$", [`${"a".repeat(64)}x`])).toBe(false);
});

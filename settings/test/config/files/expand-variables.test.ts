import { expect, test } from "vitest";
import { expandVariables } from "../../../src/config/files/expand-variables.ts";

const environment = { A: "a", EMPTY: "", REFERENCE: "${A}", BRACE: "}" };

test("variables and defaults are put in, once, and everything else stays", () => {
  const cases: readonly (readonly [text: string, expanded: string])[] = [
    ["", ""],
    ["plain $A ${A}", "plain $A a"],
    ["${A}${A}-${EMPTY}", "aa-"],
    ["${EMPTY:-x}${UNSET:-}", "x"],
    ["${UNSET:-a:-b}", "a:-b"],
    ["${UNSET:-${A}/${EMPTY:-y}}", "a/y"],
    ["${REFERENCE}", "${A}"],
    ["${BRACE}", "}"],
    ["$${A}", "${A}"],
    ["a$${A}${A}", "a${A}a"],
    ["$${", "${"],
    ["{A} $ } {}", "{A} $ } {}"],
  ];
  for (const [text, expanded] of cases) {
    expect([text, expandVariables(text, environment)]).toEqual([text, { type: "text", text: expanded }]);
  }
});

test("what is missing or malformed is said, not guessed", () => {
  expect(expandVariables("x${NOPE}", environment)).toEqual({ type: "missing", variable: "NOPE" });
  expect(expandVariables("${toString}", environment)).toEqual({ type: "missing", variable: "toString" });
  for (const text of ["${", "${A", "${}", "${A-x}", "${1A}", "${A B}", "${A:-".repeat(5)]) {
    expect([text, expandVariables(text, environment).type]).toEqual([text, "malformed"]);
  }
  const nested = `${"${X:-".repeat(50)}${"}".repeat(50)}`;
  expect(expandVariables(nested, environment).type).toBe("malformed");
});

test("variables that repeat a large one do not grow without bound", () => {
  const large = { BIG: "x".repeat(100_000) };
  expect(expandVariables("${BIG}".repeat(1000), large).type).toBe("malformed");
});

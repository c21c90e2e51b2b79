import { expect, test } from "vitest";
import { aboutModel } from "../../src/commands/models.ts";

test("of a model its window and prices are said, as far as they are known", () => {
  const prices = { input: 3, output: 15 };
  expect(aboutModel({ name: "a/b", contextWindowTokens: 200_000, prices })).toEqual([
    "200k tokens",
    "$3 in, $15 out per million",
  ]);
  expect(aboutModel({ name: "a/b", prices: { input: 0.1 + 0.2, output: 0 } })).toEqual(["$0.3 in, $0 out per million"]);
  expect(aboutModel({ name: "a/b" })).toEqual([]);
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { repeatedKey } from "../../../src/shared/stream/repeated-key.ts";
import { readToolArguments } from "../../../src/shared/stream/tool-arguments.ts";

describe("arguments that are no plain JSON object are malformed, with the reason", () => {
  test.each<[string, string, RegExp]>([
    ["a key that stands twice", '{"path":"a","path":"b"}', /the key "path" stands twice in one object/],
    ["a key that stands twice below", '{"o":[{"a":{"x":1,"x":2}}]}', /the key "x" stands twice/],
    [
      "a key that stands twice, once with escapes",
      String.raw`{"path":"a","pa\u0074h":"b"}`,
      /the key "path" stands twice/,
    ],
    ["a number beyond all numbers", '{"n":1e999}', /a number is too large/],
    ["a number of too many digits", `{"n":${"9".repeat(400)}}`, /a number is too large/],
    ["NaN", '{"n":NaN}', /JSON/],
    ["a list", "[]", /an object was expected, not an array/],
    ["bottomless depth", `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`, /nested deeper than/],
  ])("%s", (_case, text, problem) => {
    expect(readToolArguments(text)).toEqual({ type: "malformed", text, problem: expect.stringMatching(problem) });
  });
});

test.each([
  '{"a":{"x":1},"b":{"x":2},"x":3}',
  '{"a":"x","b":["a","a","b"],"c":"\\"a\\":"}',
  '{"a":[{"x":1},{"x":2}],"x":{}}',
  '{"e":1e99,"text":"1e999"}',
])("the same word in other places is no repetition: %s", (text) => {
  expect(readToolArguments(text)).toEqual({ type: "json", value: JSON.parse(text) });
});

test("what a program writes never repeats a key, and one that is added is always found", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 }), (value) => {
      const json = JSON.stringify(value);
      expect(repeatedKey(json)).toBeUndefined();
      const [key] = Object.keys(value);
      const twice = `${json.slice(0, -1)},${JSON.stringify(key)}:0}`;
      expect(repeatedKey(twice)).toBe((key ?? "").slice(0, 100).toWellFormed());
    }),
  );
});

test("a megabyte of arguments is read in one pass", () => {
  const value = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`key-${index}`, `v"${index}`]));
  expect(repeatedKey(JSON.stringify(value))).toBeUndefined();
  expect(repeatedKey(`{"a":"${"\\\\".repeat(500_000)}","a":1}`)).toBe("a");
});

test("arguments encoded twice are read once more, and no text besides", () => {
  const object = { path: "a", text: '"b"' };
  expect(readToolArguments(JSON.stringify(JSON.stringify(object)))).toEqual({ type: "json", value: object });
  expect(readToolArguments('"path"')).toMatchObject({ type: "malformed" });
  expect(readToolArguments(JSON.stringify('{"a":1,"a":2}'))).toMatchObject({ type: "malformed" });
});

import { canonicalJson, type JsonValue } from "@capstan/protocol";
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";

test.each<[unknown, string]>([
  [{ b: 1, a: { d: [2, { f: 1, e: 2 }], c: null } }, '{"a":{"c":null,"d":[2,{"e":2,"f":1}]},"b":1}'],
  [{ a: undefined, b: 1 }, '{"b":1}'],
  [[3, 1, 2], "[3,1,2]"],
  ["ü\ud83d", '"ü\\ud83d"'],
  [undefined, "null"],
  [{ 10: "b", 9: "a" }, '{"9":"a","10":"b"}'],
])("%j is %s", (value, expected) => {
  expect(canonicalJson(value)).toBe(expected);
});

test("the order of keys makes no difference, at any depth", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(reordered(JSON.parse(JSON.stringify(value))))).toBe(canonicalJson(value));
    }),
  );
});

test("what differs has different texts", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const sameText = canonicalJson(a) === canonicalJson(b);
      expect(sameText).toBe(isDeepStrictEqual(asJson(a), asJson(b)));
    }),
  );
});

test("it is JSON of the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

/** As JSON holds it: no negative zero. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function reordered(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => reordered(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]: [string, JsonValue]) => [key, reordered(item)]),
  );
}

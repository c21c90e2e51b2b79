import { expect, test } from "vitest";
import { appended, growingInPlace, replaced, shared } from "../../src/evolve/growing-lists.ts";

test("outside a fold a list never changes", () => {
  const list = [1, 2];
  expect([appended(list, 3), replaced(list, 0, 9), list]).toEqual([
    [1, 2, 3],
    [9, 2],
    [1, 2],
  ]);
});

test("a fold changes what it made itself, and nothing that it was given or that something else holds", () => {
  growingInPlace(new WeakMap(), () => {
    const given = [1];
    const made = appended(given, 2);
    expect(appended(made, 3)).toBe(made);
    expect(replaced(made, 0, 9)).toBe(made);
    expect([given, made]).toEqual([[1], [9, 2, 3]]);
    const held = shared(made);
    expect(appended(held, 4)).toEqual([9, 2, 3, 4]);
    expect(held).toEqual([9, 2, 3]);
  });
});

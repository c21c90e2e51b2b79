import { relative } from "node:path/posix";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isWithin } from "../src/is-within.ts";

const path = fc
  .array(fc.constantFrom("a", "b", "ab", "a b", "\\"), { maxLength: 4 })
  .map((names) => `/${names.join("/")}`);

test("a path lies within a folder exactly when no step leads up from the folder to it", () => {
  fc.assert(
    fc.property(path, path, (folder, inner) => {
      expect(isWithin(folder, inner)).toBe(!relative(folder, inner).startsWith(".."));
    }),
  );
});

test("everything lies within the root", () => {
  expect(isWithin("/", "/a/b")).toBe(true);
  expect(isWithin("/a", "/")).toBe(false);
});

test("a name that only begins like the folder's lies outside, and a backslash ends no name", () => {
  expect(isWithin("/ws", "/ws_evil")).toBe(false);
  expect(isWithin("/ws", "/ws\\evil")).toBe(false);
});

test("a folder of Windows ends at a backslash", () => {
  expect(isWithin("C:\\ws", "C:\\ws\\a")).toBe(true);
  expect(isWithin("C:\\ws", "C:\\ws_evil")).toBe(false);
  expect(isWithin("C:\\", "C:\\ws")).toBe(true);
});

import { expect, test } from "vitest";
import { shownPath } from "../../src/files/shown-path.ts";
import { maxShownPath } from "../../src/limits.ts";

test("a path is shown whole up to its limit, and by its beginning beyond", () => {
  const longest = "a".repeat(maxShownPath);
  expect(shownPath(longest)).toBe(`"${longest}"`);
  expect(shownPath(`${longest}b`)).toBe(`"${longest}…"`);
});

test("nothing in a shown path is obeyed by a terminal or turns the text around", () => {
  expect(shownPath('a\u001B[2J"\u009B\u202E\u2066b')).toBe('"a\\u001b[2J\\"\\u009b\\u202e\\u2066b"');
});

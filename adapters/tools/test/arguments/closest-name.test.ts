import { expect, test } from "vitest";
import { closestName } from "../../src/arguments/closest-name.ts";

const fields = ["path", "start_line", "end_line", "old_string", "new_string", "replace_all"];

test.each([
  ["pth", "path"],
  ["paths", "path"],
  ["startLine", "start_line"],
  ["start-line", "start_line"],
  ["oldstrin", "old_string"],
  ["replaceall", "replace_all"],
  ["zzz", undefined],
  ["", undefined],
  ["p".repeat(1000), undefined],
])("%j is closest to %j", (name, expected) => {
  expect(closestName(name, fields)).toBe(expected);
});

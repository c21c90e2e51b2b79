import { expect, test } from "vitest";
import { wholeNumber } from "../../src/arguments/argument-alias.ts";

test("a whole number counts, also as text with blanks around it; nothing else does", () => {
  expect([0, 7, "7", " 7\n", "007", 999_999_999_999_999].map(wholeNumber)).toEqual([
    0, 7, 7, 7, 7, 999_999_999_999_999,
  ]);
  const others = [
    -1,
    1.5,
    "-1",
    "1.5",
    "1e3",
    "",
    " ",
    "7 8",
    "0x7",
    null,
    true,
    [7],
    { value: 7 },
    undefined,
    "1234567890123456",
  ];
  expect(others.filter((value) => wholeNumber(value) !== undefined)).toEqual([]);
});

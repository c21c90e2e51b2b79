import { expect, test } from "vitest";
import { runningTimeText, timeText } from "../src/time-text.ts";

test("what ended has a time as exact as it was measured, and what runs whole seconds", () => {
  expect([0, 240, 999, 1000, 3240, 48_400, 125_000].map(timeText)).toEqual([
    "0 ms",
    "240 ms",
    "999 ms",
    "1.0 s",
    "3.2 s",
    "48 s",
    "2 min 5 s",
  ]);
  expect([-5, 0, 999, 1999, 9999, 10_900, 119_999, 125_900].map(runningTimeText)).toEqual([
    "0 s",
    "0 s",
    "0 s",
    "1 s",
    "9 s",
    "10 s",
    "119 s",
    "2 min 5 s",
  ]);
});

import { AppError } from "@capstan/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseDuration } from "../src/duration.ts";

function check(text: string, expected: number | "refused"): void {
  expect([text, read(text)]).toEqual([text, expected]);
}

function read(text: string): number | string {
  try {
    return parseDuration(text, "--timeout");
  } catch (error) {
    return error instanceof AppError && error.code === "usage.invalid" ? "refused" : String(error);
  }
}

test("numbers with units add up, and a plain number is seconds", () => {
  check("90", 90_000);
  check("90s", 90_000);
  check("5m", 300_000);
  check("1h30m", 5_400_000);
  check("500ms", 500);
  check("1.5s", 1500);
  check("1m1s1ms", 61_001);
  check("2147483647ms", 2_147_483_647);
});

test("what is no duration, no time at all, or too long for a timer is refused", () => {
  for (const text of ["", " ", "soon", "5 m", "5x", "m", "-5", "-5s", "+5s", "1,5s", "1.5", "1e3", "5m!", "0x10", "∞"])
    check(text, "refused");
  for (const text of ["0", "0s", "0.4ms", "2147483648ms", "9999999h", "99999999999999999999"]) check(text, "refused");
});

test("the error names the flag and repeats the text, so that it can be corrected", () => {
  expect(() => parseDuration("1 day", "--timeout")).toThrow(
    expect.objectContaining({
      code: "usage.invalid",
      message: '--timeout takes a duration such as 90s, 5m or 1h30m, not "1 day"',
    }),
  );
});

test("any hours, minutes, seconds and milliseconds are read as their sum", () => {
  const part = fc.nat(99);
  fc.assert(
    fc.property(part, part, part, fc.integer({ min: 1, max: 999 }), (h, m, s, ms) => {
      check(`${h}h${m}m${s}s${ms}ms`, ((h * 60 + m) * 60 + s) * 1000 + ms);
    }),
  );
});

import { expect, test } from "vitest";
import { readSince } from "../../src/aging/read-since.ts";

const now = Date.UTC(2026, 10, 25, 12);

test.each([
  ["12h", now - 12 * 3_600_000],
  ["7d", now - 7 * 86_400_000],
  ["4w", now - 28 * 86_400_000],
  ["2026-11-01T08:00:00Z", Date.UTC(2026, 10, 1, 8)],
  ["2026-11-01", new Date(2026, 10, 1).getTime()],
])("%s begins where it says", (text, expected) => {
  expect(readSince(text, now)).toBe(expected);
});

test.each(["", "yesterday", "7", "-1d", "2026-13-01", "7days", "1"])("%j is refused with what is taken", (text) => {
  expect(() => readSince(text, now)).toThrow(/--since takes a day \(2026-11-01\)/);
});

import { expect, test } from "vitest";
import { fittedLine } from "../../src/status/fitted-line.ts";

const parts = { what: "▸ npm test", time: "12 s", rest: ["anthropic/claude", "default", "sandbox"], separator: " · " };

test.each([
  [80, "▸ npm test · 12 s · anthropic/claude · default · sandbox"],
  [46, "▸ npm test · 12 s · anthropic/claude · default"],
  [20, "▸ npm test · 12 s"],
  [14, "▸ npm… · 12 s"],
  [8, "… · 12 s"],
  [7, "12 s"],
  [3, "12…"],
  [1, "…"],
])("in %i columns the time is kept longest, then what runs", (columns, line) => {
  expect(fittedLine(parts, columns)).toBe(line);
});

test("a long text leaves room for the rest, and wide letters count twice", () => {
  const line = fittedLine({ ...parts, what: "漢".repeat(60) }, 70);
  expect(line).toBe(`${"漢".repeat(11)}… · 12 s · anthropic/claude · default · sandbox`);
});

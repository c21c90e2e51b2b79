import { AppError } from "@capstan/protocol";
import { expect, test } from "vitest";
import { failedResult } from "../src/failed-result.ts";

function check(thrown: unknown, expected: object): void {
  const text = failedResult(thrown);
  // One line for every reader, those included that end lines at U+2028.
  expect(text.match(/[\n\r\u2028\u2029\u0085]/g)).toEqual(["\n"]);
  expect(text.endsWith("\n")).toBe(true);
  expect(text.isWellFormed()).toBe(true);
  expect(JSON.parse(text)).toEqual({ type: "result", outcome: "error", ...expected });
}

test("an error of ours is reported with its code and what to do", () => {
  check(new AppError("usage.invalid", "there is no prompt", { hint: "Give one." }), {
    exitCode: 2,
    error: { code: "usage.invalid", message: "there is no prompt", hint: "Give one." },
  });
  check(new AppError("storage.full", "the disk is full"), {
    exitCode: 1,
    error: { code: "storage.full", message: "the disk is full" },
  });
});

test("anything else that was thrown is reported as text", () => {
  check(new TypeError("no such thing"), { exitCode: 1, error: { message: "TypeError: no such thing" } });
  check("just words", { exitCode: 1, error: { message: "just words" } });
});

test("the line stays one line, and valid JSON, whatever the message holds", () => {
  check(new AppError("usage.invalid", 'a\n"b"\u0000\r\u2028\u2029c'), {
    exitCode: 2,
    error: { code: "usage.invalid", message: 'a\n"b"\u0000\r\u2028\u2029c' },
  });
  check(new AppError("usage.invalid", "half \ud83d"), {
    exitCode: 2,
    error: { code: "usage.invalid", message: expect.stringContaining("half ") },
  });
});

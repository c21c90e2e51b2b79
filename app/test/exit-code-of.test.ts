import { AppError, type ErrorCode, errorCatalog } from "@capstan/protocol";
import { expect, test } from "vitest";
import { exitCodeOf } from "../src/exit-code-of.ts";

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorCatalog, text);
}

test("what the user corrects by writing something else is 2, everything else is 1", () => {
  const codes = Object.keys(errorCatalog).filter(isErrorCode);
  expect(codes.filter((code) => exitCodeOf(new AppError(code, "wrong")) === 2)).toEqual([
    "usage.invalid",
    "usage.workspace-missing",
    "config.unreadable",
    "config.syntax",
    "config.invalid",
    "config.variable-missing",
    "model.unknown",
    "model.none",
    "provider.auth",
    "session.unknown",
    "session.ambiguous",
    "quarantine.not-found",
    "rehearsal.scenario",
  ]);
  expect(new Set(codes.map((code) => exitCodeOf(new AppError(code, "wrong"))))).toEqual(new Set([1, 2]));
});

test("whatever else was thrown is 1", () => {
  for (const thrown of [new Error("usage.invalid"), new TypeError("x"), "usage.invalid", undefined, null, 2])
    expect(exitCodeOf(thrown)).toBe(1);
});

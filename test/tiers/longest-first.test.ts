import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asksForTime } from "./longest-first.ts";

const root = join(import.meta.dirname, "..", "..");

test("a file that gives a test five minutes or more starts first", () => {
  for (const text of ["{ timeout: 1_800_000 }", "}, 600_000);", "}, 300_000);", "  30 * 60_000,"])
    expect([text, asksForTime(text)]).toEqual([text, true]);
  for (const text of ["}, 120_000);", "const cases = 10_000;", "waits(60_000)", "no limit"])
    expect([text, asksForTime(text)]).toEqual([text, false]);
});

test("the files that take longest are among those that start first", () => {
  for (const path of [
    "test/end-to-end/terminal-ui/killed-anywhere.slow.test.ts",
    "library/test/random-batches.slow.test.ts",
    "core/engine/test/turn/any-window.slow.test.ts",
  ])
    expect([path, asksForTime(readFileSync(join(root, path), "utf8"))]).toEqual([path, true]);
});

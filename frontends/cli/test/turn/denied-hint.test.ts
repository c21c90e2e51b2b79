import { expect, test } from "vitest";
import { deniedHint } from "../../src/turn/denied-hint.ts";
import type { DeniedCall } from "../../src/turn/run-result.ts";

const call = { tool: "act", summary: "act", reason: "r", by: "unattended" } as const;
const edit: DeniedCall = { ...call, passesWith: { type: "mode", mode: "accept-edits" } };
const run: DeniedCall = { ...call, passesWith: { type: "rule", rule: "run_command(it's)" } };
const none: ReadonlySet<string> = new Set();

test("the hint is a line to paste, with everything that was lacking, once", () => {
  expect(deniedHint([edit, run, edit], "s1", none)).toBe(
    String.raw`Allow it: capstan run --resume s1 --permission-mode accept-edits --allow 'run_command(it'\''s)' "continue"`,
  );
});

test("it never names a flag that was just given, and there is none where nothing is known to help", () => {
  expect(deniedHint([edit, run], "s1", new Set(["--allow"]))).not.toContain("--allow");
  expect(deniedHint([run], "s1", new Set(["--allow"]))).toBeUndefined();
  expect(deniedHint([{ ...call, by: "policy" }], "s1", none)).toBeUndefined();
});

test("after a user's no there is none", () => {
  expect(deniedHint([edit, { ...call, by: "user" }], "s1", none)).toBeUndefined();
});

test("where only a user's own answer helps, it is the line that leaves the question to them, unless that was just given", () => {
  for (const _ of ["first", "second"])
    expect(deniedHint([call], "s1", none)).toBe('Be asked: capstan run --resume s1 --on-ask park "continue"');
  expect(deniedHint([call, edit], "s1", none)).toMatch(/^Allow it: [^\0]*accept-edits "continue"$/);
  expect(deniedHint([call], "s1", new Set(["--on-ask"]))).toBeUndefined();
  expect(deniedHint([call, { ...call, by: "user" }], "s1", none)).toBeUndefined();
});

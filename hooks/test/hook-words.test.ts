import { expect, test } from "vitest";
import { withWords } from "../src/run/answer-of.ts";
import { refusal, wordsOf } from "../src/run/hook-words.ts";

const specific = (fields: object): string => JSON.stringify({ hookSpecificOutput: fields });

test.each([
  ["PreToolUse", "", { result: "passed" }],
  ["PreToolUse", "just words", { result: "passed" }],
  ["UserPromptSubmit", "just words\n", { result: "passed", context: "just words" }],
  ["PreToolUse", "{ no json", { result: "failed" }],
  ["PreToolUse", specific({ permissionDecision: "allow" }), { result: "passed", verdict: { verdict: "allow" } }],
  ["PreToolUse", specific({ permissionDecision: "ask" }), { verdict: { verdict: "ask" } }],
  ["PreToolUse", specific({ permissionDecision: "defer" }), { verdict: { verdict: "ask" } }],
  [
    "PreToolUse",
    specific({ permissionDecision: "deny", permissionDecisionReason: "no" }),
    { result: "blocked", message: "no", verdict: { verdict: "deny", reason: "no" } },
  ],
  ["PreToolUse", '{"decision":"block","reason":"old"}', { verdict: { verdict: "deny", reason: "old" } }],
  ["PreToolUse", '{"decision":"approve"}', { verdict: { verdict: "allow" } }],
  ["PreToolUse", specific({ updatedInput: { a: 1 } }), { result: "passed", input: { a: 1 } }],
  ["PermissionRequest", specific({ decision: { behavior: "allow" } }), { verdict: { verdict: "allow" } }],
  [
    "PermissionRequest",
    specific({ decision: { behavior: "deny", message: "not now", interrupt: true } }),
    { result: "blocked", verdict: { verdict: "deny", reason: "not now" }, stop: "not now" },
  ],
  ["PermissionRequest", specific({ decision: { behavior: "maybe" } }), { result: "passed" }],
  ["PostToolUse", '{"decision":"block","reason":"again"}', { result: "blocked", block: "again" }],
  ["PostToolUse", specific({ additionalContext: "more" }), { context: "more" }],
  ["PostToolUse", specific({ updatedMCPToolOutput: { a: 1 } }), { output: '{"a":1}' }],
  ["Stop", '{"continue":false,"stopReason":"enough"}', { result: "blocked", stop: "enough" }],
  ["Stop", '{"continue":true,"suppressOutput":true,"systemMessage":"hello"}', { result: "passed", message: "hello" }],
] as const)("%s: %s", (event, text, expected) => {
  expect(wordsOf(event, text)).toMatchObject(expected);
});

test.each([
  ["PreToolUse", { result: "blocked", verdict: { verdict: "deny", reason: "why" } }],
  ["UserPromptSubmit", { result: "blocked", block: "why" }],
  ["PostToolUse", { result: "blocked", block: "why" }],
  ["Stop", { result: "blocked", block: "why" }],
  ["PreCompact", { result: "blocked", block: "why" }],
  ["PostToolUseFailure", { result: "passed", context: "why" }],
  ["SessionStart", { result: "failed", message: "why" }],
  ["Notification", { result: "failed", message: "why" }],
] as const)("a program that ends with 2 at %s", (event, expected) => {
  expect(refusal(event, "why\n")).toMatchObject(expected);
});

const entry = { id: "h", event: "PermissionRequest", matcher: "", name: "mine", by: "user" } as const;
const written = { name: "write_file", arguments: { path: "a.txt", content: "x" } };
const shown = { file_path: "a.txt", content: "x" };

test.each([
  [shown, "allow"],
  [{ ...shown, content: "y" }, "ask"],
] as const)(
  "a yes at PermissionRequest counts for the arguments that were judged, and for no others: %j",
  (input, verdict) => {
    const words = wordsOf("PermissionRequest", specific({ decision: { behavior: "allow", updatedInput: input } }));
    const answer = withWords({}, "PermissionRequest", { entry, words, call: { ...written, shown } });
    expect(answer).toMatchObject({ verdict: { verdict, by: "user" } });
    expect(answer.arguments).toBe(undefined);
  },
);

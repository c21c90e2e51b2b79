import type { AssistantBlock, JournalRecord, ToolArguments, ToolOutcome } from "@capstan/protocol";
import { toStepId, toTurnId } from "@capstan/protocol";
import { action, callId, opening, playMoves, providerFailure, randomMoves, testUsage } from "@capstan/testkit";
import type { ProgressLine } from "@capstan/view";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createProgress } from "../src/progress.ts";

/** All lines of the records, as `tone text`. */
function lines(...records: readonly JournalRecord[]): readonly string[] {
  const describe = createProgress();
  return records
    .flatMap((record, index) => describe({ seq: index + 1, at: 0, record }))
    .map(({ tone, text }: ProgressLine) => `${tone} ${text}`);
}

const decided: JournalRecord = {
  type: "tool-decided",
  callId: callId("a"),
  action: { ...action("act"), summary: "npm test" },
  judgement: { verdict: "allow", reason: "" },
};
const started: JournalRecord = { type: "tool-started", callId: callId("a"), digest: "", settle: { files: [] } };

function finished(
  outcome: ToolOutcome,
  more: Partial<Extract<JournalRecord, { type: "tool-finished" }>> = {},
): JournalRecord {
  return { type: "tool-finished", callId: callId("a"), outcome, changes: [], observed: [], durationMs: 1500, ...more };
}

test("a call is named when it starts and when it ends, with what it changed", () => {
  const changes = [
    {
      path: "a.txt",
      kind: "modified",
      addedLines: 1,
      removedLines: 2,
      diff: "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n",
    },
  ] as const;
  expect(lines(decided, started, finished({ type: "done", content: "ok" }, { changes }))).toEqual([
    "plain ▸ npm test",
    "good   ✓ npm test · 1.5 s",
    "muted   modified a.txt (+1 −2)",
    "diff     @@ -1 +1 @@",
    "diff     -old",
    "diff     +new",
  ]);
});

test.each<[ToolOutcome, string]>([
  [{ type: "failed", code: "tool.failed", content: "exit 1" }, "bad   ✗ failed: npm test: exit 1"],
  [{ type: "rejected", code: "tool.loop", content: "again" }, "bad   ✗ rejected: npm test: again"],
  [{ type: "denied", by: "user", content: "no" }, "bad   ✗ denied: npm test: no"],
  [{ type: "cancelled", content: "stopped" }, "bad   ✗ cancelled: npm test: stopped"],
  [{ type: "unknown", content: "who knows" }, "bad   ✗ unknown: npm test: who knows"],
  [{ type: "proposed", content: "diff" }, "good   ✓ proposed: npm test"],
])("an outcome in a line: %j", (outcome, expected) => {
  expect(lines(decided, finished(outcome))).toEqual([expected]);
});

function writtenCall(id: string, name: string, args: ToolArguments): AssistantBlock {
  return { type: "tool-call", callId: callId(id), name, arguments: args };
}

function refused(id: string): JournalRecord {
  const outcome = { type: "rejected", code: "tool.loop", content: "again" } as const;
  return { type: "tool-finished", callId: callId(id), outcome, changes: [], observed: [], durationMs: 0 };
}

test("a call that was refused before anybody prepared it says what it was about", () => {
  const written: JournalRecord = {
    type: "step-completed",
    stepId: toStepId("t.s1"),
    message: {
      role: "assistant",
      origin: { provider: "p", model: "m", wire: "anthropic" },
      content: [
        writtenCall("a", "edit_file", { type: "json", value: { old_string: "x", path: "src/a\n.ts" } }),
        writtenCall("b", "shell", { type: "json", value: { command: ["npm", "run", "fmt"] } }),
        writtenCall("c", "odd", { type: "malformed", text: "{", problem: "no end" }),
      ],
    },
    reason: "tool-calls",
    usage: testUsage,
    costUsd: null,
  };
  expect(lines(written, refused("a"), refused("b"), refused("c"))).toEqual([
    "bad   ✗ rejected: edit_file src/a ⏎ .ts: again",
    "bad   ✗ rejected: shell npm run fmt: again",
    "bad   ✗ rejected: odd: again",
  ]);
});

test("what took no time of its own has none", () => {
  expect(lines(decided, finished({ type: "done", content: "Blue" }, { durationMs: 0 }))).toEqual(["good   ✓ npm test"]);
});

test("a long diff is cut, and says by how much", () => {
  const diff = Array.from({ length: 70 }, (_, index) => `+line ${index}`).join("\n");
  const changes = [{ path: "a", kind: "created", addedLines: 70, removedLines: 0, diff }] as const;
  const shown = lines(finished({ type: "done", content: "" }, { changes }));
  expect(shown).toHaveLength(63);
  expect(shown.at(-1)).toBe("muted     … 10 more lines");
});

test.each<[JournalRecord, readonly string[]]>([
  [{ type: "session-recovered", found: "a model call" }, ["warning Continuing: a model call."]],
  [
    { type: "step-retrying", stepId: toStepId("s"), attempt: 1, failure: providerFailure(), delayMs: 400 },
    ["warning overloaded — trying again in 400 ms (attempt 2)"],
  ],
  [
    { type: "step-retrying", stepId: toStepId("s"), attempt: 2, failure: providerFailure(), delayMs: 0 },
    ["warning overloaded — trying again at once (attempt 3)"],
  ],
  [
    { type: "step-abandoned", stepId: toStepId("s"), cause: "failed", text: "", failure: providerFailure() },
    ["bad The model call failed: overloaded"],
  ],
  [{ type: "step-abandoned", stepId: toStepId("s"), cause: "cancelled", text: "" }, []],
  [{ type: "notice", level: "info", code: "x", text: "fyi" }, ["muted fyi"]],
  [{ type: "notice", level: "warning", code: "x", text: "careful" }, ["warning careful"]],
  [{ type: "notice", level: "error", code: "x", text: "broken" }, ["bad broken"]],
  [{ type: "compaction-failed", stepId: toStepId("s"), message: "no" }, ["warning The summary failed: no"]],
  [{ type: "turn-ended", turnId: toTurnId("t"), outcome: "done", rolledBack: false }, []],
])("%j", (record, expected) => {
  expect(lines(record)).toEqual(expected);
});

test("whatever a journal holds, its lines can only show", () => {
  const hostile = "\u001b]0;owned\u0007\u202e\u009b31m";
  const summary: JournalRecord = { ...decided, action: { ...decided.action, summary: `rm${hostile}` } };
  const changes = [
    { path: `a${hostile}`, kind: "created", addedLines: 1, removedLines: 0, diff: `+x${hostile}` },
  ] as const;
  const shown = lines(
    summary,
    started,
    finished({ type: "failed", code: "x", content: `no${hostile}` }, { changes }),
    { type: "notice", level: "info", code: "x", text: `hi${hostile}` },
    { type: "session-recovered", found: hostile },
  ).join("\n");
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
});

test("every record of every journal has its lines", () => {
  fc.assert(
    fc.property(randomMoves, fc.nat(23), (moves, variant) => {
      const { journal } = playMoves(moves, variant);
      expect(() => lines(...opening(), ...journal)).not.toThrow();
    }),
    { numRuns: 30 },
  );
});

test.each([
  [{ exitCode: 0 }, "good   ✓ npm test · 1.5 s"],
  [{ exitCode: 3 }, "bad   ✗ npm test · exit 3 · 1.5 s"],
  [{ exitCode: null, signal: "SIGKILL" }, "bad   ✗ npm test · ended by SIGKILL · 1.5 s"],
  [{ exitCode: null }, "bad   ✗ npm test · ended by a signal · 1.5 s"],
  [{ totalLines: 4 }, "good   ✓ npm test · 1.5 s"],
])("a call whose details are %j", (details, shown) => {
  expect(lines(decided, started, finished({ type: "done", content: "", details })).at(-1)).toBe(shown);
});

test("a failed command shows the last lines of what it wrote, and one that succeeded does not", () => {
  const content = "Exit code: 1 (1.5 s)\none\n\ntwo\u001b[31m\nthree\nfour\n";
  const failed = finished({ type: "done", content, details: { exitCode: 1 } });
  expect(lines(decided, started, failed).slice(-4)).toEqual([
    "bad   ✗ npm test · exit 1 · 1.5 s",
    "muted     two",
    "muted     three",
    "muted     four",
  ]);
  const passed = finished({ type: "done", content, details: { exitCode: 0 } });
  expect(lines(decided, started, passed).at(-1)).toBe("good   ✓ npm test · 1.5 s");
});

import type { JournalRecord, ToolOutcome } from "@capstan/protocol";
import { action, call, callId, message, opening, sessionConfig, testUsage } from "@capstan/testkit";
import { toSessionId, toStepId, toTurnId, userText } from "@capstan/protocol";
import { expect, test } from "vitest";
import { checkEvidence } from "../../torture/checker/check-evidence.ts";
import type { Evidence, PrintedEvent, ViolationKind } from "../../torture/checker/evidence.ts";
import { effectLog } from "../../torture/scripts/script.ts";

const [turnId, stepId, lastStep] = [toTurnId("t1"), toStepId("t1.s1"), toStepId("t1.s2")];
const args = { path: "x", note: "effect-01-once" };
const made = action("act", args);
const done: ToolOutcome = { type: "done", content: "said it" };

function step(id: typeof stepId, content: readonly (ReturnType<typeof call> | string)[]): readonly JournalRecord[] {
  return [
    { type: "step-started", stepId: id, turnId, attempt: 1, model: "test/model-1" },
    {
      type: "step-completed",
      stepId: id,
      message: message(...content),
      reason: content.some((block) => typeof block !== "string") ? "tool-calls" : "stop",
      usage: testUsage,
      costUsd: 0.0045,
    },
  ];
}

/** A turn with one call that ended so. */
function turnWith(outcome: ToolOutcome): readonly JournalRecord[] {
  return [
    ...opening(sessionConfig()),
    { type: "turn-started", turnId, content: userText("go"), origin: { frontend: "cli" } },
    ...step(stepId, ["I do it.", call("c1", "act", args)]),
    {
      type: "tool-decided",
      callId: callId("c1"),
      action: made,
      judgement: { verdict: "allow", reason: "a rule" },
    },
    { type: "tool-started", callId: callId("c1"), digest: made.digest, settle: { files: [] } },
    { type: "tool-finished", callId: callId("c1"), outcome, changes: [], observed: [], durationMs: 1 },
    ...step(lastStep, ["Done."]),
    { type: "turn-ended", turnId, outcome: "done", rolledBack: false },
  ];
}

/** Numbers with room for the pieces that the records supersede. */
function numbered(records: readonly JournalRecord[]): readonly PrintedEvent[] {
  return records.map((record, at) => ({ seq: (at + 1) * 10, record }));
}

const journal = numbered(turnWith(done));

function evidence(more: Partial<Evidence> = {}): Evidence {
  return {
    shown: [
      [
        { seq: 45, record: { type: "text-delta", stepId, delta: "I do" } },
        { seq: 46, record: { type: "text-delta", stepId, delta: " it." } },
        { seq: 75, record: { type: "tool-output-delta", callId: callId("c1"), stream: "stdout", delta: "said it\n" } },
        ...journal.slice(5),
      ],
    ],
    journal,
    agents: [],
    effects: [{ id: "effect-01-once", files: [effectLog], kind: "main" }],
    files: { [effectLog]: "effect-01-once\n" },
    expectedFiles: [effectLog],
    refusals: [],
    survivors: [],
    stuck: [],
    doctor: null,
    ...more,
  };
}

function kindsOf(more: Partial<Evidence>): readonly ViolationKind[] {
  return [...new Set(checkEvidence(evidence(more)).map(({ kind }) => kind))];
}

test("a session that kept its promises has no violation", () => {
  expect(checkEvidence(evidence())).toEqual([]);
});

test("text that was shown and is in no answer is lost", () => {
  const received: PrintedEvent = { seq: 45, record: { type: "text-delta", stepId, delta: "I never said this" } };
  expect(kindsOf({ shown: [[received]] })).toEqual(["lost"]);
  const nowhere: PrintedEvent = { seq: 999, record: { type: "text-delta", stepId, delta: "I do" } };
  expect(kindsOf({ shown: [[nowhere]] })).toEqual(["lost"]);
});

test("a process that joined in the middle of an answer has shown a part of it, in one piece", () => {
  const start: PrintedEvent = {
    seq: 40,
    record: { type: "step-started", stepId, turnId, attempt: 1, model: "test/model-1" },
  };
  const pieces = (...deltas: readonly string[]): readonly PrintedEvent[] =>
    deltas.map((delta, at) => ({ seq: 45 + at, record: { type: "text-delta", stepId, delta } }));
  expect(kindsOf({ shown: [pieces(" do", " it.")] })).toEqual([]);
  expect(kindsOf({ shown: [pieces("I ", "it.")] })).toEqual(["lost"]);
  expect(kindsOf({ shown: [[start, ...pieces(" do", " it.")]] })).toEqual(["lost"]);
  expect(kindsOf({ shown: [[start, ...pieces("I do")]] })).toEqual([]);
});

test("a record that was shown and is gone, or has become another, is lost", () => {
  const [first] = journal;
  const shown = (seq: number): Partial<Evidence> => ({ shown: [first === undefined ? [] : [{ ...first, seq }]] });
  expect(kindsOf(shown(10))).toEqual([]);
  expect(kindsOf(shown(5))).toEqual(["lost"]);
  expect(kindsOf(shown(20))).toEqual(["lost"]);
});

test("output that was shown and is not in the result is lost", () => {
  const received = {
    type: "tool-output-delta",
    callId: callId("c1"),
    stream: "stdout",
    delta: "something else\n",
  } as const;
  const shown = [[{ seq: 75, record: received }]];
  expect(kindsOf({ shown })).toEqual(["lost"]);
  const unknown = numbered(turnWith({ type: "unknown", content: "nobody knows" }));
  expect(kindsOf({ shown, journal: unknown })).toEqual(["lost"]);
});

test("an effect of a call that is done and cannot be found is lost", () => {
  expect(kindsOf({ files: { [effectLog]: "" } })).toEqual(["lost"]);
});

test("an effect that took place twice is doubled, and one that no call has is too", () => {
  expect(kindsOf({ files: { [effectLog]: "effect-01-once\neffect-01-once\n" } })).toEqual(["doubled"]);
  const foreign = { id: "effect-02-once", files: [effectLog], kind: "main" } as const;
  expect(kindsOf({ effects: [foreign], files: { [effectLog]: "effect-02-once\n" } })).toEqual(["doubled"]);
});

test("an effect whose outcome is reported as unknown may have happened, but not twice", () => {
  const unknown = numbered(turnWith({ type: "unknown", content: "nobody knows" }));
  for (const text of ["", "effect-01-once\n"])
    expect(kindsOf({ journal: unknown, shown: [], files: { [effectLog]: text } })).toEqual([]);
  const twice = { [effectLog]: "effect-01-once\neffect-01-once\n" };
  expect(kindsOf({ journal: unknown, shown: [], files: twice })).toEqual(["doubled"]);
});

test("a call that was refused must not have had its effect", () => {
  const refused = numbered(turnWith({ type: "failed", code: "tool.failed", content: "no" }));
  expect(kindsOf({ journal: refused, shown: [] })).toEqual(["doubled"]);
});

test("a refused request and a session that does not continue are bricked", () => {
  expect(kindsOf({ refusals: ["messages.3: tool_use without tool_result"] })).toEqual(["bricked"]);
  expect(kindsOf({ stuck: ["the script is still not played"] })).toEqual(["bricked"]);
});

test("numbers that do not grow, and a call with two outcomes, break the journal", () => {
  expect(kindsOf({ journal: [...journal, ...journal.slice(-1)], shown: [] })).toEqual(["journal"]);
  const twice = turnWith(done).flatMap((record) => again(record));
  expect(kindsOf({ journal: numbered(twice), shown: [] })).toEqual(["journal"]);
});

test("a process that lives on, a file that was left, and a doctor's objection are reported", () => {
  expect(kindsOf({ survivors: ["sleep 5"] })).toEqual(["survivor"]);
  expect(kindsOf({ files: { [effectLog]: "effect-01-once\n", ".a.txt.tmp": "half" } })).toEqual(["leftover"]);
  expect(kindsOf({ doctor: "doctor exits 1" })).toEqual(["doctor"]);
});

function again(record: JournalRecord): readonly JournalRecord[] {
  return record.type === "tool-finished" ? [record, record] : [record];
}

test("an agent that worked twice, was called by two, or was reported and never ended is a violation", () => {
  const spawnedBy = { sessionId: toSessionId("parent"), callId: callId("c1"), agent: "bash" };
  const [started, ...rest] = turnWith(done);
  if (started?.type !== "session-started") throw new Error("a session begins otherwise");
  const agent = (id: string, records = rest): readonly PrintedEvent[] =>
    numbered([{ ...started, sessionId: toSessionId(id), spawnedBy }, ...records]);
  const reportOf = (id: string): readonly PrintedEvent[] =>
    numbered(turnWith({ type: "done", content: `said it\n[Agent bash: done; session ${id}]` }));
  const shown = { shown: [] };
  expect(kindsOf({ ...shown, agents: [agent("one")] })).toEqual([]);
  expect(kindsOf({ ...shown, agents: [agent("one"), agent("two")] })).toEqual(["doubled"]);
  const open = rest.filter(({ type }) => type !== "turn-ended");
  expect(kindsOf({ ...shown, journal: reportOf("one"), agents: [agent("one", open)] })).toEqual(["lost"]);
  expect(kindsOf({ ...shown, journal: reportOf("one"), agents: [agent("one")] })).toEqual([]);
});

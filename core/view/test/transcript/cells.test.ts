import {
  type AssistantBlock,
  type JournalRecord,
  toInteractionId,
  toStepId,
  type ToolOutcome,
  toTurnId,
  userText,
} from "@capstan/protocol";
import { action, call, callId, message, opening, tester, providerFailure, testUsage } from "@capstan/testkit";
import { expect, test } from "vitest";
import type { Cell } from "../../src/transcript/cell.ts";
import { reduce } from "../../src/transcript/reduce.ts";
import { cellsFrom, emptyTranscript, type Transcript } from "../../src/transcript/transcript.ts";

const turnId = toTurnId("t1");
const stepId = toStepId("t1.s1");

/** One second between two records. */
function fold(...records: readonly JournalRecord[]): Transcript {
  return records.reduce(
    (transcript, record, at) => reduce(transcript, { seq: at + 1, at: at * 1000, record }),
    emptyTranscript,
  );
}

function cells(...records: readonly JournalRecord[]): readonly Cell[] {
  return [...cellsFrom(fold(...records))];
}

const started: JournalRecord = { type: "turn-started", turnId, content: userText("go"), origin: tester };
const asked: JournalRecord = { type: "step-started", stepId, turnId, attempt: 1, model: "test/model-1" };

function text(delta: string): JournalRecord {
  return { type: "text-delta", stepId, delta };
}

function answered(...content: readonly (AssistantBlock | string)[]): JournalRecord {
  return {
    type: "step-completed",
    stepId,
    message: message(...content),
    reason: "stop",
    usage: testUsage,
    costUsd: 0.5,
  };
}

function ended(more: Partial<Extract<JournalRecord, { type: "turn-ended" }>> = {}): JournalRecord {
  return { type: "turn-ended", turnId, outcome: "done", rolledBack: false, ...more };
}

const calling = answered("I look.", call("a", "act", { command: "npm test" }));
const decided: JournalRecord = {
  type: "tool-decided",
  callId: callId("a"),
  action: { ...action("act"), summary: "npm test" },
  judgement: { verdict: "allow", reason: "a rule" },
};
const running: JournalRecord = { type: "tool-started", callId: callId("a"), digest: "", settle: { files: [] } };

function printed(delta: string): JournalRecord {
  return { type: "tool-output-delta", callId: callId("a"), stream: "stdout", delta };
}

function finished(outcome: ToolOutcome): JournalRecord {
  return { type: "tool-finished", callId: callId("a"), outcome, changes: [], observed: [], durationMs: 1500 };
}

test("an answer grows in one open cell, and is replaced by what the model came to say", () => {
  const pieces = [started, asked, { type: "thinking-delta", stepId, delta: "hm" } as const, text("Hel"), text("lo")];
  expect(cells(...pieces)[1]).toMatchObject({
    isFinal: false,
    parts: [
      { type: "thinking", text: "hm" },
      { type: "text", text: "Hello" },
    ],
  });
  const whole = cells(...pieces, answered({ type: "thinking", text: "hm, hm" }, "Hello, ", "you."));
  expect(whole[1]).toEqual({
    type: "answer",
    at: 1000,
    isFinal: true,
    stepId,
    model: "test/model-1",
    parts: [
      { type: "thinking", text: "hm, hm" },
      { type: "text", text: "Hello, you." },
    ],
    sources: [],
    state: { type: "complete", reason: "stop" },
  });
});

test("a call that is being written shows its tool and how much there is of it", () => {
  const piece = { type: "tool-arguments-delta", stepId, index: 0, name: "act" } as const;
  const shown = cells(started, asked, { ...piece, delta: '{"a":' }, { ...piece, delta: "1}" });
  expect(shown[1]).toMatchObject({ parts: [{ type: "call-draft", index: 0, tool: "act", characters: 7 }] });
});

test("an escape sequence that is cut between two pieces shows nothing of itself", () => {
  expect(cells(started, asked, text("a\u001b"), text("[31mb"))[1]).toMatchObject({ parts: [{ text: "ab" }] });
  const shown = cells(started, asked, calling, decided, running, printed("a\u001b[3"), printed("1mb"));
  expect(shown[2]).toMatchObject({ state: { type: "running", output: "ab" } });
});

test("a failed attempt gives its place to the word that it is made again, and what it showed is gone", () => {
  const failure = providerFailure({ message: "overloaded" });
  const retrying: JournalRecord = { type: "step-retrying", stepId, attempt: 1, failure, delayMs: 2000 };
  const again: JournalRecord = { ...asked, attempt: 2 };
  expect(cells(started, asked, text("half"), retrying, again, text("whole"))).toMatchObject([
    { type: "user" },
    { type: "retry", at: 1000, isFinal: true, message: "overloaded", attempt: 2, failedAt: 3000, delayMs: 2000 },
    { type: "answer", isFinal: false, parts: [{ text: "whole" }] },
  ]);
});

test("an answer that was cut off keeps what had been shown, and says why", () => {
  const abandoned = { type: "step-abandoned", stepId, cause: "cancelled", text: "half an" } as const;
  expect(cells(started, asked, text("half an"), abandoned)[1]).toMatchObject({
    isFinal: true,
    parts: [{ type: "text", text: "half an" }],
    state: { type: "abandoned", cause: "cancelled" },
  });
});

test("a call stands at its place from its answer on: named, decided, running with the end of its output, ended", () => {
  const states = [
    cells(started, asked, calling),
    cells(started, asked, calling, decided),
    cells(started, asked, calling, decided, running, printed("x".repeat(9000)), printed("41 passed\n")),
    cells(started, asked, calling, decided, running, printed("41"), finished({ type: "done", content: "41 passed" })),
  ].map((shown) => shown[2]);
  expect(states[0]).toMatchObject({ tool: "act", summary: "act npm test", state: { type: "written" }, isFinal: false });
  expect(states[1]).toMatchObject({
    summary: "npm test",
    decision: { verdict: "allow", reason: "a rule" },
    state: { type: "decided" },
  });
  expect(states[2]).toMatchObject({
    state: { type: "running", startedAt: 4000, output: `${"x".repeat(4096 - 10)}41 passed\n` },
  });
  expect(states[3]).toMatchObject({
    isFinal: true,
    state: { type: "ended", end: { outcome: "done", succeeded: true, content: "41 passed", durationMs: 1500 } },
  });
});

test.each([
  ["exit code 0", { type: "done", content: "", details: { exitCode: 0 } }, { succeeded: true, exitCode: 0 }],
  ["exit code 1", { type: "done", content: "", details: { exitCode: 1 } }, { succeeded: false, exitCode: 1 }],
  [
    "a signal",
    { type: "done", content: "", details: { exitCode: null, signal: "SIGKILL" } },
    { succeeded: false, exitCode: null, signal: "SIGKILL" },
  ],
  ["no command", { type: "done", content: "" }, { succeeded: true }],
  ["a failure", { type: "failed", code: "tool.timeout", content: "" }, { succeeded: false, code: "tool.timeout" }],
  ["a denial", { type: "denied", by: "user", content: "no" }, { succeeded: false, deniedBy: "user" }],
  ["a proposal", { type: "proposed", content: "" }, { succeeded: true }],
] as const)("a call that ended with %s", (_name, outcome, end) => {
  expect(cells(started, asked, calling, decided, running, finished(outcome))[2]).toMatchObject({ state: { end } });
});

test("a question is open until somebody answers, and then says what and who; the second answer changes nothing", () => {
  const id = toInteractionId("t1.i1");
  const request = { type: "budget", limit: "model calls", used: 5, allowed: 5 } as const;
  const interaction = { id, request, digest: id, openedAt: 0, expiresAt: null, origin: tester, answerers: [] };
  const opened: JournalRecord = { type: "interaction-opened", interaction, turnId };
  const resolved = {
    type: "interaction-resolved",
    interactionId: id,
    origin: { frontend: "web", user: "ann" },
  } as const;
  expect(cells(started, opened)[1]).toMatchObject({ isFinal: false, interaction, resolution: null });
  const twice = [
    { ...resolved, answer: { type: "continue" } },
    { ...resolved, answer: { type: "stop" } },
  ] as const;
  expect(cells(started, opened, ...twice)[1]).toMatchObject({
    isFinal: true,
    resolution: { answer: { type: "continue" }, by: { frontend: "web", user: "ann" }, at: 2000 },
  });
});

test("words that wait are listed until their turn begins", () => {
  const other = toTurnId("t2");
  const queued: JournalRecord = { type: "turn-queued", turnId: other, content: userText("and then"), origin: tester };
  expect(fold(started, queued).queued).toMatchObject([{ turnId: other, words: [{ type: "text", text: "and then" }] }]);
  expect(fold(started, queued, ended(), { ...started, turnId: other }).queued).toEqual([]);
});

test("the half answer of an interrupted turn stays in sight, beside the words that are handed back", () => {
  const abandoned = { type: "step-abandoned", stepId, cause: "cancelled", text: "half an" } as const;
  const end = ended({ outcome: "interrupted", rolledBack: true, draft: userText("go") });
  const [, answer, last] = cells(started, asked, text("half an"), abandoned, end);
  expect(answer).toMatchObject({ parts: [{ type: "text", text: "half an" }], state: { type: "abandoned" } });
  expect(last).toMatchObject({ rolledBack: true, draft: [{ type: "text", text: "go" }] });
});

test("a turn's end says how long it took, what it cost, and which words to send again", () => {
  const end = ended({ outcome: "provider-failed", rolledBack: true, draft: userText("go"), message: "no" });
  // It begins a while after the session.
  const before = { type: "notice", level: "info", code: "n", text: "earlier" } as const;
  const transcript = fold(before, before, started, asked, answered("hi"), end);
  expect([...cellsFrom(transcript)].at(-1)).toMatchObject({
    outcome: "provider-failed",
    message: "no",
    rolledBack: true,
    draft: [{ type: "text", text: "go" }],
    durationMs: 3000,
    spending: { modelCalls: 1, usage: testUsage, costUsd: 0.5 },
  });
  expect(transcript.turns.length).toBe(0);
});

test("what no record ended is closed where its turn ends, and says that it is not known how", () => {
  expect(cells(started, asked, calling, decided, running, ended())).toMatchObject([
    {},
    { isFinal: true },
    { isFinal: true, state: { type: "unknown" } },
    { type: "turn-end" },
  ]);
  expect(cells(started, asked, text("half"), ended())[1]).toMatchObject({ isFinal: true, state: { type: "unknown" } });
});

function rewind(direction: "back" | "forth", keepTurns: number): readonly JournalRecord[] {
  return [
    {
      type: "rewind-started",
      rewindId: direction,
      direction,
      keepTurns,
      conversation: true,
      files: [],
      origin: tester,
    },
    {
      type: "rewind-finished",
      rewindId: direction,
      restored: [{ path: "/w/a.txt", before: null, after: null }],
      conflicts: [{ path: "/v/b.txt", reason: "somebody changed it" }],
    },
  ];
}

function turn(name: string): JournalRecord {
  return { type: "turn-started", turnId: toTurnId(name), content: userText("go"), origin: tester };
}

test("a rewind names the turns that go and come back; numbers, tasks and measurement go with them", () => {
  const tasks = [{ step: "look", status: "pending" }] as const;
  const planned: readonly JournalRecord[] = [
    asked,
    answered(call("a", "note")),
    { ...decided, action: { ...action("note"), session: { type: "update-plan", tasks } } },
    finished({ type: "done", content: "" }),
  ];
  const history = [turn("a"), turn("b"), ...planned];
  const back = fold(...history, ...rewind("back", 1));
  expect([back.turns.length, back.tasks, back.measured]).toEqual([1, [], null]);
  expect([...cellsFrom(back)].at(-1)).toMatchObject({
    type: "rewind",
    isFinal: true,
    turns: ["b"],
    result: {
      restored: [{ path: "/w/a.txt", removed: true }],
      conflicts: [{ path: "/v/b.txt", reason: "somebody changed it" }],
    },
  });
  const forth = fold(...history, ...rewind("back", 1), ...rewind("forth", 1));
  expect([forth.turns.length, forth.tasks]).toEqual([2, tasks]);
  expect([...cellsFrom(forth)].at(-1)).toMatchObject({ direction: "forth", turns: ["b"] });
});

test("a summary is open while it is made, and ends with what it says", () => {
  const compacting = { type: "compaction-started", stepId, messageCount: 9, attempt: 1 } as const;
  const summary = { type: "compaction-completed", stepId, summary: "we met", messageCount: 9 } as const;
  expect(cells(compacting)).toMatchObject([{ isFinal: false, messageCount: 9, state: { type: "running" } }]);
  const done = fold(compacting, { ...summary, usage: testUsage, costUsd: null });
  expect([...cellsFrom(done)]).toMatchObject([{ isFinal: true, state: { type: "done", summary: "we met" } }]);
  expect(done.spending).toMatchObject({ modelCalls: 1, costUsd: null });
});

test("facts of the session stand beside the cells", () => {
  const titled: JournalRecord = { type: "session-titled", title: "the \u001b[1mcart\n", origin: tester };
  const { session, config, title } = fold(...opening(), titled);
  expect([session?.version, config?.mode, title]).toEqual([expect.any(String), "default", "the cart"]);
});

test("nothing in a cell acts on a terminal, but what is marked as exact", () => {
  const bad = "\u001b]0;title\u0007\u001b[2J\u202eevil\u2066\u0085";
  const notice: JournalRecord = { type: "notice", level: "info", code: "x", text: bad };
  const words: JournalRecord = { ...started, content: userText(bad), origin: { frontend: bad, user: bad } };
  const shown = fold(
    words,
    { ...asked, model: bad },
    answered(bad, { type: "thinking", text: bad }, { ...call("a", bad), arguments: { type: "json", value: {} } }),
    { ...decided, action: { ...action("act"), tool: bad, summary: bad }, judgement: { verdict: "ask", reason: bad } },
    running,
    printed(bad),
    { ...finished({ type: "failed", code: "tool.failed", content: bad, details: { exitCode: 1, signal: bad } }) },
    notice,
    { type: "session-recovered", found: bad },
    ended({ outcome: "error", message: bad }),
  );
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  expect(JSON.stringify([...cellsFrom(shown)])).not.toMatch(/\\u00[0189]|\\u001b|[\u0080-\u009f\u202e\u2066]|title/);
});

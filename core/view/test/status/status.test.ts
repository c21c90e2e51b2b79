import { type JournalRecord, toStepId, toTurnId, userText } from "@capstan/protocol";
import { call, callId, message, opening, tester, providerFailure, sessionConfig, testUsage } from "@capstan/testkit";
import { expect, test } from "vitest";
import { gaugeText, tokensText } from "../../src/status/context-gauge.ts";
import { statusOf } from "../../src/status/status.ts";
import { reduce } from "../../src/transcript/reduce.ts";
import { emptyTranscript, type Transcript } from "../../src/transcript/transcript.ts";

const turnId = toTurnId("t1");
const stepId = toStepId("t1.s1");

function fold(...records: readonly JournalRecord[]): Transcript {
  return records.reduce(
    (transcript, record, at) => reduce(transcript, { seq: at + 1, at: at * 1000, record }),
    emptyTranscript,
  );
}

const started: JournalRecord = { type: "turn-started", turnId, content: userText("go"), origin: tester };
const asked: JournalRecord = { type: "step-started", stepId, turnId, attempt: 1, model: "test/model-1" };
const answered: JournalRecord = {
  type: "step-completed",
  stepId,
  message: message(call("a", "act"), call("b", "act")),
  reason: "tool-calls",
  usage: testUsage,
  costUsd: 0.25,
};

function running(id: string): JournalRecord {
  return { type: "tool-started", callId: callId(id), digest: "", settle: { files: [] } };
}

const failure = providerFailure({});
const retrying: JournalRecord = { type: "step-retrying", stepId, attempt: 1, failure, delayMs: 5000 };
const piece = { stepId, delta: "x" } as const;

test.each<readonly [string, readonly JournalRecord[], object]>([
  ["nothing yet", [], { type: "idle" }],
  ["words were said", [started], { type: "preparing" }],
  ["the model was asked", [started, asked], { type: "preparing" }],
  ["it thinks", [started, asked, { type: "thinking-delta", ...piece }], { type: "thinking" }],
  ["it answers", [started, asked, { type: "text-delta", ...piece }], { type: "answering" }],
  [
    "it writes a call",
    [started, asked, { type: "tool-arguments-delta", ...piece, index: 0, name: "act" }],
    { type: "calling", tool: "act" },
  ],
  ["it is asked again", [started, asked, retrying], { type: "retrying", attempt: 2, waitMs: 5000 }],
  [
    "two calls run",
    [started, asked, answered, running("a"), running("b")],
    { type: "running", summaries: ["act", "act"] },
  ],
  ["a summary is made", [{ type: "compaction-started", stepId, messageCount: 2, attempt: 1 }], { type: "summarizing" }],
  [
    "files go back",
    [
      {
        type: "rewind-started",
        rewindId: "r",
        direction: "back",
        keepTurns: 0,
        conversation: true,
        files: [],
        origin: tester,
      },
    ],
    { type: "restoring" },
  ],
])("%s", (_name, records, activity) => {
  expect(statusOf(fold(...records), 2000).activity).toEqual(activity);
});

test("a status line has the time of the turn, the model, the mode, the sandbox, what waits and what it cost", () => {
  const queued: JournalRecord = { type: "turn-queued", turnId: toTurnId("t2"), content: userText("x"), origin: tester };
  const config = sessionConfig({ mode: "plan" });
  const status = statusOf(fold(...opening(config), started, asked, answered, queued), 12_000);
  expect(status).toMatchObject({
    elapsedMs: 10_000,
    model: `${config.model.provider}/${config.model.id}`,
    mode: "plan",
    sandbox: { level: "none", text: "a test has none" },
    queued: 1,
    waiting: 0,
    costUsd: 0.25,
    context: { usedTokens: 1100, windowTokens: config.model.contextWindowTokens },
  });
  expect(statusOf(emptyTranscript, 0)).toMatchObject({ elapsedMs: null, model: null, context: null });
});

test("the gauge holds what the vendor counted against the window of the model that answered", () => {
  const config = sessionConfig();
  const other = { ...config.model, id: "small", contextWindowTokens: 10_000 };
  const begun = fold(...opening({ ...config, fallbacks: [other] }), started);
  const events: readonly JournalRecord[] = [{ ...asked, model: `${other.provider}/small` }, answered];
  const fallen = events.reduce((transcript, record, at) => reduce(transcript, { seq: 10 + at, at: 0, record }), begun);
  const gauge = statusOf(fallen, 0).context;
  expect(gauge === null ? "" : gaugeText(gauge)).toBe("1.1k / 10k (11 %)");
  const summary = { type: "compaction-completed", stepId, summary: "", messageCount: 1, usage: testUsage } as const;
  const summed: readonly JournalRecord[] = [
    { type: "compaction-started", stepId, messageCount: 1, attempt: 1 },
    { ...summary, costUsd: 0 },
  ];
  const after = summed.reduce((transcript, record, at) => reduce(transcript, { seq: 20 + at, at: 0, record }), fallen);
  expect(statusOf(after, 0).context).toMatchObject({ usedTokens: null, share: null });
});

test("the gauge in words", () => {
  expect(gaugeText({ usedTokens: 2130, windowTokens: 200_000, share: 0.0107, summaries: 0 })).toBe("2.1k / 200k (1 %)");
  expect(gaugeText({ usedTokens: 2130, windowTokens: 200_000, share: 0.0107, summaries: 3 })).toBe(
    "2.1k / 200k (1 %) [3 summaries]",
  );
  expect(gaugeText({ usedTokens: null, windowTokens: 1_000_000, share: null, summaries: 1 })).toBe(
    "? / 1M [1 summary]",
  );
  expect([0, 999, 1000, 9949, 9951, 199_600, 999_499, 999_500, 1_500_000].map(tokensText)).toEqual([
    "0",
    "999",
    "1k",
    "9.9k",
    "10k",
    "200k",
    "999k",
    "1M",
    "1.5M",
  ]);
});

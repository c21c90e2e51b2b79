import { type JournalRecord, toStepId, toTurnId, userText } from "@capstan/protocol";
import { call, callId, message, tester, testUsage } from "@capstan/testkit";
import { expect, test } from "vitest";
import { leftOpenLines } from "../../src/asking/left-open-lines.ts";
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

function texts(transcript: Transcript): readonly string[] {
  return leftOpenLines(transcript)
    .slice(1)
    .map(({ text }) => text);
}

const started: JournalRecord = { type: "turn-started", turnId, content: userText("go\u001b[2J"), origin: tester };
const asked: JournalRecord = { type: "step-started", stepId, turnId, attempt: 1, model: "test/model-1" };
const answered: JournalRecord = {
  type: "step-completed",
  stepId,
  message: message(call("a", "act"), call("b", "act")),
  reason: "tool-calls",
  usage: testUsage,
  costUsd: null,
};
const running: JournalRecord = { type: "tool-started", callId: callId("a"), digest: "", settle: { files: [] } };

test("of a session at rest nothing is said", () => {
  expect(leftOpenLines(emptyTranscript)).toEqual([]);
});

test("of a turn in which nothing had come yet, it is said that the model is asked, below its words made inert", () => {
  const [words, fact] = texts(fold(started));
  expect(words).toMatch(/^ {2}› go/);
  expect(words).not.toContain("\u001b");
  expect(fact).toBe("  the model had not answered yet: it is asked");
  expect(texts(fold(started, asked))).toContain("  the answer was being written: the model is asked once more");
});

test("of calls it says which had not begun, and that nobody knows the end of one that was running", () => {
  const said = texts(fold(started, asked, answered, running)).slice(1);
  expect(said).toEqual([
    "  ▸ act: it was running, and its end is not known: what it left is looked at before anything runs",
    "  ◌ act: it had not begun",
  ]);
});

import { type JournalRecord, toStepId, toTurnId, userText } from "@capstan/protocol";
import { message, opening, tester, testUsage } from "@capstan/testkit";
import { expect, test } from "vitest";
import { SessionLines } from "../../src/transcript/session-lines.ts";

test("words that reach a turn under way stand where they came, each time", () => {
  const [turnId, stepId] = [toTurnId("t1"), toStepId("t1.s1")];
  const steered = (words: string): JournalRecord => ({
    type: "turn-steered",
    turnId,
    inputId: toTurnId(`of ${words}`),
    content: userText(words),
    origin: tester,
  });
  const records: readonly JournalRecord[] = [
    ...opening(),
    { type: "turn-started", turnId, content: userText("begin"), origin: tester },
    { type: "step-started", stepId, turnId, attempt: 1, model: "test/model-1" },
    steered("more of it"),
    steered("and\nagain"),
    { type: "step-completed", stepId, message: message("Done."), reason: "stop", usage: testUsage, costUsd: 0 },
  ];
  const lines = new SessionLines();
  const shown = records.flatMap((record, at) => lines.lines({ seq: at + 1, at: 0, record }));
  expect(shown.filter((line) => line !== "").slice(-6)).toEqual([
    "Turn 1:",
    "> begin",
    "> more of it",
    "> and",
    "> again",
    "Done.",
  ]);
});

test("on a narrow terminal what happened is broken between words, and what was said stays as it is", () => {
  const lines = new SessionLines(30);
  const records: readonly JournalRecord[] = [
    ...opening(),
    {
      type: "turn-started",
      turnId: toTurnId("t1"),
      content: userText("a prompt that is longer than a row"),
      origin: tester,
    },
    { type: "session-recovered", found: "a batch of tool calls that had not ended" },
  ];
  const shown = records.flatMap((record, at) => lines.lines({ seq: at + 1, at: 0, record }));
  expect(shown.filter((line) => line !== "").slice(-3)).toEqual([
    "> a prompt that is longer than a row",
    "Continuing: a batch of tool",
    "  calls that had not ended.",
  ]);
});

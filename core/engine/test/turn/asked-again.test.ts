import { completes, fails, packed, play, says, submit, textAnswer } from "@capstan/testkit";
import { type JournalRecord, toStepId, toTurnId, userText } from "@capstan/protocol";
import { evolve } from "@capstan/session";
import { expect, test } from "vitest";

function asksAgain(turn: string, follows: string): ReturnType<typeof submit> {
  const content = userText("Your answer was not accepted.");
  return submit({ type: "user-input", turnId: toTurnId(turn), content, follows: toTurnId(follows) });
}

const noUsage = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };

function whole(turn: string): readonly ReturnType<typeof submit>[] {
  return [packed(turn), completes(`${turn}.s1`, textAnswer(`answer of ${turn}`))];
}

const first = [says("t1"), ...whole("t1")];

test("what asks for the last answer again is part of that turn, the second time too, and goes back with it", () => {
  const again = [...first, asksAgain("t2", "t1"), ...whole("t2"), asksAgain("t3", "t2"), ...whole("t3")];
  const { state } = play(again);
  expect(state.turns).toMatchObject([{ turnId: "t1", joined: ["t2", "t3"], messagesBefore: 0 }]);
  expect(state.conversation).toHaveLength(6);
});

test("words in between make a turn of its own of it, and so does a turn that is not the last", () => {
  const between = [...first, says("t2"), ...whole("t2"), asksAgain("t3", "t1"), ...whole("t3")];
  expect(play(between).state.turns.map(({ turnId }) => turnId)).toEqual(["t1", "t2", "t3"]);
  const busy = [...first, says("t2"), packed("t2"), asksAgain("t3", "t1"), completes("t2.s1", textAnswer("two"))];
  expect(play([...busy, ...whole("t3")]).state.turns.map(({ turnId }) => turnId)).toEqual(["t1", "t2", "t3"]);
});

test("one that fails leaves the turn that it is part of as it was", () => {
  const failed = [...first, asksAgain("t2", "t1"), packed("t2"), fails("t2.s1", { retryable: false })];
  const { state } = play(failed);
  expect([state.turns.map(({ turnId }) => turnId), state.conversation.length]).toEqual([["t1"], 2]);
});

test("one that made room for itself and is rolled back leaves the summary of before, the second time too", () => {
  for (const before of [[], [says("t0"), ...whole("t0")]]) {
    const asked = play([...before, ...first, asksAgain("t2", "t1")]);
    const stepId = toStepId("session.c1");
    const records: readonly JournalRecord[] = [
      { type: "compaction-started", stepId, messageCount: 1, attempt: 1, turnId: toTurnId("t2"), reason: "budget" },
      {
        type: "compaction-completed",
        stepId,
        messageCount: 1,
        summary: "Short.",
        by: "rules",
        usage: noUsage,
        costUsd: 0,
      },
      { type: "turn-ended", turnId: toTurnId("t2"), outcome: "error", rolledBack: true, draft: userText("x") },
    ];
    const made = records.slice(0, -1).reduce(evolve, asked.state);
    expect(made.summary?.text).toBe("Short.");
    const ended = records.reduce(evolve, asked.state);
    expect([ended.summary, ended.tasks]).toEqual([asked.state.summary, asked.state.tasks]);
  }
});

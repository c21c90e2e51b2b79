import type { ModelSettings, ModelStreamPart } from "@capstan/protocol";
import {
  action,
  call,
  callAnswer,
  cancels,
  completes,
  ends,
  fails,
  fires,
  receives,
  packed,
  play,
  prepared,
  says,
  sessionConfig,
  textAnswer,
} from "@capstan/testkit";
import { expect, test } from "vitest";

const other: ModelSettings = {
  ...sessionConfig().model,
  provider: "other",
  id: "model-2",
  wire: "google",
  maxOutputTokens: 1000,
  prices: { input: 30, output: 150 },
};
const config = sessionConfig({ fallbacks: [other], retry: { maxAttempts: 2 } });
const asked = [says("t1"), packed("t1")];
const down = { retryable: false, message: "test: overloaded" };

test("when a model has failed for good, the same step goes to the next one, and the user is notified", () => {
  const { last, state } = play([...asked, fails("t1.s1", down)], config);
  expect(last.records).toMatchObject([
    { type: "notice", code: "provider.fallback", level: "warning" },
    { type: "step-retrying", attempt: 1, delayMs: 0 },
    { type: "step-started", stepId: "t1.s1", attempt: 2, model: "other/model-2" },
  ]);
  expect(last.records[0]).toMatchObject({ text: expect.stringMatching(/test\/model-1.*overloaded.*other\/model-2/) });
  expect(last.effects).toMatchObject([
    { type: "call-model", attempt: 2, model: other, request: { maxOutputTokens: 1000 } },
  ]);
  expect(state.operation).toMatchObject({ type: "streaming", turn: { steps: 1 } });
});

test("attempts that may be repeated are repeated first, and the next model has as many of its own", () => {
  const { journal } = play(
    [
      ...asked,
      fails("t1.s1"),
      fires("t1.s1.retry1"),
      fails("t1.s1", {}, 2),
      fails("t1.s1", {}, 3),
      fires("t1.s1.retry3"),
      fails("t1.s1", {}, 4),
    ],
    config,
  );
  const steps = journal.filter((record) => record.type === "step-started");
  expect(steps.map((record) => record.model)).toEqual([
    "test/model-1",
    "test/model-1",
    "other/model-2",
    "other/model-2",
  ]);
  expect(journal.at(-1)).toMatchObject({ type: "turn-ended", outcome: "provider-failed", rolledBack: true });
});

test("a provider that is known to be down is not waited for where another model can be asked", () => {
  const unavailable = { code: "provider.unavailable", retryable: true, retryAfterMs: 5000 } as const;
  expect(play([...asked, fails("t1.s1", unavailable)], config).last.effects).toMatchObject([{ model: other }]);
  expect(play([...asked, fails("t1.s1", unavailable)]).last.effects).toMatchObject([
    { type: "start-timer", delayMs: 5000 },
  ]);
});

test("a model that is named twice, as when a fallback was chosen by hand, is asked once and then no more", () => {
  const twice = sessionConfig({ fallbacks: [sessionConfig().model, other, other] });
  const { journal } = play([...asked, fails("t1.s1", down), fails("t1.s1", down, 2)], twice);
  const steps = journal.filter((record) => record.type === "step-started");
  expect(steps.map((record) => record.model)).toEqual(["test/model-1", "other/model-2"]);
  expect(journal.at(-1)).toMatchObject({ type: "turn-ended", outcome: "provider-failed" });
});

test("the turn stays with the model it turned to; the next turn begins with the first one again", () => {
  const { effects } = play(
    [
      ...asked,
      fails("t1.s1", down),
      completes("t1.s1", callAnswer([call("a", "look")]), 2),
      prepared("t1.s1", { a: action("look") }),
      ends("a"),
      completes("t1.s2", textAnswer("done")),
      says("t2"),
      packed("t2"),
    ],
    config,
  );
  const asks = effects.flatMap((effect) => (effect.type === "call-model" ? [effect.model.id] : []));
  expect(asks).toEqual(["model-1", "model-2", "model-2", "model-1"]);
});

function answers(turn: string, attempt: number) {
  return completes(`${turn}.s1`, textAnswer("done"), attempt);
}

test("a model that failed for good is asked once in each later turn, without retries, until it answers", () => {
  const { effects } = play(
    [
      ...asked,
      fails("t1.s1"),
      fires("t1.s1.retry1"),
      fails("t1.s1", {}, 2),
      answers("t1", 3),
      says("t2"),
      packed("t2"),
      fails("t2.s1"),
      answers("t2", 2),
      says("t3"),
      packed("t3"),
      answers("t3", 1),
      says("t4"),
      packed("t4"),
      fails("t4.s1"),
      fires("t4.s1.retry1"),
      answers("t4", 2),
    ],
    config,
  );
  const asks = effects.flatMap((effect) => (effect.type === "call-model" ? [effect.model.id] : []));
  expect(asks).toEqual(["model-1", "model-1", "model-2", "model-1", "model-2", "model-1", "model-1", "model-1"]);
});

test("a step costs what the model that answered costs", () => {
  const usage = {
    inputTokens: 1_000_000,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
  };
  const answered = play([...asked, fails("t1.s1", down), completes("t1.s1", textAnswer("x", { usage }), 2)], config);
  expect(answered.state.costUsd).toBeCloseTo(30, 10);
});

test("what a stopped answer had shown is remembered as that model's own", () => {
  const parts: readonly ModelStreamPart[] = [{ type: "text-delta", delta: "half" }];
  const { state } = play([...asked, fails("t1.s1", down), receives("t1.s1", parts, 2), cancels("timeout")], config);
  expect(state.conversation.at(-1)).toMatchObject({ origin: { provider: "other", model: "model-2", wire: "google" } });
});

test("a notice of the provider is journaled; what it says of its limits is not", () => {
  const { last } = play([
    ...asked,
    receives("t1.s1", [
      { type: "rate-limits", limits: [{ name: "requests", remaining: 0, resetsInMs: 10 }] },
      { type: "notice", level: "info", code: "provider.rate-limit", text: "waiting" },
    ]),
  ]);
  expect(last.records).toEqual([{ type: "notice", level: "info", code: "provider.rate-limit", text: "waiting" }]);
});

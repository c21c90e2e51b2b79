import { type ProviderFailure, retryDelayMs, type RetryPolicy } from "@capstan/protocol";
import { completes, fails, fires, packed, play, says, sessionConfig, textAnswer } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const asked = [says("t1"), packed("t1")];

interface Case {
  readonly attempt: number;
  readonly failure?: Partial<ProviderFailure>;
  readonly retry?: Partial<RetryPolicy>;
  readonly chance?: number;
}

test.each<[string, Case, number | null]>([
  ["the first delay is the base", { attempt: 1 }, 1000],
  ["each delay doubles", { attempt: 2 }, 2000],
  ["delays stop growing at the most", { attempt: 9 }, 30_000],
  ["jitter shortens by its share", { attempt: 2, retry: { jitter: 0.5 }, chance: 0.5 }, 1500],
  [
    "the vendor's hint is followed exactly",
    { attempt: 1, failure: { retryAfterMs: 1234 }, retry: { jitter: 1 }, chance: 0.9 },
    1234,
  ],
  ["a hint of nothing means at once", { attempt: 3, failure: { retryAfterMs: 0 } }, 0],
  ["the longest hint is followed", { attempt: 1, failure: { retryAfterMs: 60_000 } }, 60_000],
  ["a longer hint ends the step", { attempt: 1, failure: { retryAfterMs: 60_001 } }, null],
  ["the last attempt is the last", { attempt: 10 }, null],
  ["what cannot be retried is not", { attempt: 1, failure: { retryable: false, retryAfterMs: 5 } }, null],
])("%s", (_promise, { attempt, failure, retry, chance = 0 }, expected) => {
  const policy = sessionConfig({ retry: { maxAttempts: 10, ...retry } }).retry;
  const whole: ProviderFailure = {
    code: "provider.http",
    provider: "test",
    message: "busy",
    retryable: true,
    ...failure,
  };
  expect(retryDelayMs(policy, attempt, whole, chance)).toBe(expected);
});

test("a delay is never negative and never above the most, whatever the chance", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (attempt, chance) => {
        const policy = sessionConfig({ retry: { maxAttempts: 5000, jitter: 1 } }).retry;
        const failure: ProviderFailure = { code: "provider.http", provider: "test", message: "busy", retryable: true };
        const delayMs = retryDelayMs(policy, attempt, failure, chance) ?? -1;
        expect(delayMs).toBeGreaterThanOrEqual(0);
        expect(delayMs).toBeLessThanOrEqual(30_000);
      },
    ),
  );
});

test("a failed call is made again after the delay, as the next attempt of the same step", () => {
  const failed = play([...asked, fails("t1.s1", { retryAfterMs: 700 })]);
  expect(failed.last).toMatchObject({
    records: [{ type: "step-retrying", stepId: "t1.s1", attempt: 1, delayMs: 700 }],
    effects: [{ type: "start-timer", timerId: "t1.s1.retry1", delayMs: 700 }],
  });
  const again = play([...asked, fails("t1.s1", { retryAfterMs: 700 }), fires("t1.s1.retry1")]);
  expect(again.last.records).toEqual([
    { type: "step-started", stepId: "t1.s1", turnId: "t1", attempt: 2, model: "test/model-1" },
  ]);
  expect(again.last.effects).toMatchObject([{ type: "call-model", stepId: "t1.s1", attempt: 2 }]);
});

test("attempts end where the policy says, and a retried step counts as one model call", () => {
  const { journal, state } = play([
    ...asked,
    fails("t1.s1"),
    fires("t1.s1.retry1"),
    fails("t1.s1", {}, 2),
    fires("t1.s1.retry2"),
    fails("t1.s1", {}, 3),
  ]);
  expect(journal.filter((record) => record.type === "step-started").map((record) => record.attempt)).toEqual([1, 2, 3]);
  expect(state.lastOutcome).toBe("provider-failed");
});

test("while it waits for the next attempt nothing of the failed one counts", () => {
  const before = [...asked, fails("t1.s1")];
  for (const late of [completes("t1.s1", textAnswer("late")), fails("t1.s1"), fires("t1.s1.retry2"), fires("other")])
    expect(play([...before, late]).last).toEqual({ records: [], effects: [] });
});

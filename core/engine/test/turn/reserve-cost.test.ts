import { evolve, type SessionState } from "@capstan/session";
import { decide, type Effect, type Stimulus } from "@capstan/engine";
import { type ModelPrices, toStepId, type Usage } from "@capstan/protocol";
import { action, begin, call, callAnswer, packed, play, says, sessionConfig, textAnswer, runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";

type CallModel = Extract<Effect, { type: "call-model" }>;

/** A model that always makes another call, writes as much as it may, and is charged at the dearest rate it can be. */
interface Spender {
  readonly prices: ModelPrices;
  readonly capUsd: number;
  /** Tokens of a prompt per byte of the request, at most one. */
  readonly tokensPerByte: number;
  readonly cached: "read" | "written" | "no";
  readonly resultCharacters: number;
}

/** What a turn with it cost, and how many calls it made. */
function spend(spender: Spender): { readonly costUsd: number; readonly calls: number } {
  const base = sessionConfig();
  const config = sessionConfig({
    model: { ...base.model, prices: spender.prices },
    limits: { maxCostUsd: spender.capUsd },
    askPolicy: "deny",
  });
  let { state } = begin(config);
  let waiting: readonly Stimulus[] = [says("t1"), packed("t1")];
  let calls = 0;
  for (let round = 0; round < 120 && waiting.length > 0; round += 1) {
    const effects = waiting.flatMap((stimulus): readonly Effect[] => {
      const decided = decide(state, stimulus);
      state = decided.records.reduce(evolve, state);
      return decided.effects;
    });
    calls += effects.filter((effect) => effect.type === "call-model").length;
    waiting = effects.flatMap((effect) => answer(effect, spender, calls));
  }
  return { costUsd: state.costUsd ?? 0, calls };
}

function answer(effect: Effect, spender: Spender, count: number): readonly Stimulus[] {
  switch (effect.type) {
    case "call-model": {
      const { stepId, attempt } = effect;
      const finish = callAnswer([call(`c${count}`, "look", { path: `f${count}` })], {
        usage: usageOf(effect, spender),
      });
      return [{ type: "model-finished", stepId, attempt, finish }];
    }
    case "prepare-actions":
      return [
        {
          type: "actions-prepared",
          stepId: effect.stepId,
          prepared: effect.calls.map(({ callId }) => ({
            callId,
            type: "action",
            action: action("look", { path: `f${count}` }),
          })),
        },
      ];
    case "run-tool": {
      const outcome = { type: "done", content: "é".repeat(spender.resultCharacters) } as const;
      return [{ type: "tool-ended", callId: effect.callId, outcome, changes: [], observed: [], durationMs: 1 }];
    }
    default:
      return [];
  }
}

function usageOf({ request }: CallModel, { tokensPerByte, cached }: Spender): Usage {
  const bytes = Buffer.byteLength(JSON.stringify([request.system, request.tools, request.messages]));
  const inputTokens = Math.floor(bytes * tokensPerByte);
  return {
    inputTokens,
    cachedInputTokens: cached === "read" ? inputTokens : 0,
    cacheWriteTokens: cached === "written" ? inputTokens : 0,
    outputTokens: request.maxOutputTokens,
    reasoningTokens: 0,
  };
}

const price = fc.double({ min: 0.5, max: 100, noNaN: true });
const rates = fc.record(
  { input: price, output: price, cachedInput: price, cacheWrite: price },
  { requiredKeys: ["input", "output"] },
);
const spenders: fc.Arbitrary<Spender> = fc.record({
  prices: fc
    .tuple(rates, fc.array(fc.tuple(rates, fc.nat(20_000)), { maxLength: 3 }))
    .map(([base, steps]) => ({ ...base, longPrompt: steps.map(([step, aboveTokens]) => ({ ...step, aboveTokens })) })),
  capUsd: fc.double({ min: 0, max: 2, noNaN: true }),
  tokensPerByte: fc.double({ min: 0.01, max: 1, noNaN: true }),
  cached: fc.constantFrom("read", "written", "no"),
  resultCharacters: fc.nat(4000),
});

test("a model that never stops never spends more than the budget", () => {
  fc.assert(
    fc.property(spenders, (spender) => {
      expect(spend(spender).costUsd).toBeLessThanOrEqual(spender.capUsd + 1e-9);
    }),
    { numRuns: runs(150) },
  );
});

test("most of a budget is used before it ends a turn", () => {
  const spender: Spender = {
    prices: { input: 3, output: 15 },
    capUsd: 0.2,
    tokensPerByte: 0.3,
    cached: "no",
    resultCharacters: 100,
  };
  const { costUsd, calls } = spend(spender);
  expect(calls).toBeGreaterThan(2);
  expect(costUsd).toBeGreaterThan(0.15);
  expect(costUsd).toBeLessThanOrEqual(0.2);
});

/** What the first call of a turn may write. */
function firstAnswer(state: SessionState, effects: readonly Effect[]): number | undefined {
  expect(state.operation.type).toBe("streaming");
  return effects.find((effect) => effect.type === "call-model")?.request.maxOutputTokens;
}

test("where less is left than a whole answer may cost, a shorter one is asked for", () => {
  const whole = play([says("t1"), packed("t1")], sessionConfig({ limits: { maxCostUsd: 1 } }));
  expect(firstAnswer(whole.state, whole.last.effects)).toBe(4096);
  const short = play([says("t1"), packed("t1")], sessionConfig({ limits: { maxCostUsd: 0.05 } }));
  const tokens = firstAnswer(short.state, short.last.effects) ?? 0;
  expect(tokens).toBeGreaterThanOrEqual(1024);
  expect(tokens).toBeLessThan(4096);
});

test("a model whose prices nobody knows has no reservation", () => {
  const { prices: _, ...model } = sessionConfig().model;
  const { state, last } = play([says("t1"), packed("t1")], sessionConfig({ model, limits: { maxCostUsd: 0.001 } }));
  expect(firstAnswer(state, last.effects)).toBe(4096);
});

test("a fallback that is too dear for the rest of the budget is not asked", () => {
  const dear = { ...sessionConfig().model, provider: "dear", id: "model-9", prices: { input: 300, output: 1500 } };
  const config = sessionConfig({ fallbacks: [dear], limits: { maxCostUsd: 0.5 }, askPolicy: "deny" });
  const failure = { code: "provider.http", provider: "test", message: "gone", retryable: false } as const;
  const { journal, last } = play(
    [says("t1"), packed("t1"), { type: "model-failed", stepId: toStepId("t1.s1"), attempt: 1, failure, chance: 0 }],
    config,
  );
  expect(last.effects.filter((effect) => effect.type === "call-model")).toEqual([]);
  expect(journal.at(-1)).toMatchObject({ type: "turn-ended", outcome: "limit-reached" });
});

test("what the vendor counted is taken over, so that the next call is reserved closer to the truth", () => {
  const long = "x".repeat(40_000);
  const config = sessionConfig({ limits: { maxCostUsd: 0.3 }, askPolicy: "deny" });
  const counted = textAnswer("yes", {
    usage: { inputTokens: 8000, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 10, reasoningTokens: 0 },
  });
  const { state, last } = play(
    [
      says("t1", long),
      packed("t1"),
      { type: "model-finished", stepId: toStepId("t1.s1"), attempt: 1, finish: counted },
      says("t2"),
      packed("t2"),
    ],
    config,
  );
  expect(state.measured).toMatchObject({ tokens: 8010 });
  expect(firstAnswer(state, last.effects)).toBe(4096);
});

import { snapshot } from "@capstan/session";
import type { Stimulus } from "@capstan/engine";
import type { TurnLimits } from "@capstan/protocol";
import {
  action,
  answers,
  call,
  callAnswer,
  cancels,
  checkInvariants,
  completes,
  ends,
  packed,
  tester,
  play,
  prepared,
  restarts,
  says,
  sessionConfig,
} from "@capstan/testkit";
import { expect, test } from "vitest";

/** A turn that continues without end: each round is one answer with one read. */
function rounds(count: number): readonly Stimulus[] {
  return Array.from({ length: count }, (_, index) => round(index + 1)).flat();
}

function round(step: number): readonly Stimulus[] {
  const id = `c${step}`;
  return [
    completes(`t1.s${step}`, callAnswer([call(id, "look", { path: id })])),
    prepared(`t1.s${step}`, { [id]: action("look", { path: id }) }),
    ends(id),
  ];
}

const begun = [says("t1"), packed("t1")];

interface Case {
  readonly name: string;
  readonly limits: Partial<TurnLimits>;
  /** Rounds until the limit. */
  readonly count: number;
  readonly used: number;
  readonly allowed: number;
  readonly message?: string;
}

const cases: readonly Case[] = [
  { name: "model calls", limits: { maxModelCallsPerTurn: 2 }, count: 2, used: 2, allowed: 2 },
  { name: "tool rounds", limits: { maxToolIterationsPerTurn: 3 }, count: 3, used: 3, allowed: 3 },
  {
    name: "cost in USD",
    limits: { maxCostUsd: 0.0298 },
    count: 2,
    used: 0.009,
    allowed: 0.0298,
    message:
      "a call of test/model-1 may cost 0.0252 USD even with a short answer, and 0.0208 USD of the turn's 0.0298 USD are left",
  },
  { name: "tokens", limits: { maxTokensPerTurn: 3000 }, count: 3, used: 3300, allowed: 3000 },
];

test.each(cases)(
  "where nobody is asked, the turn ends at its limit of $name",
  ({ name, limits, count, allowed, message }) => {
    const { last, journal, state } = play([...begun, ...rounds(count)], sessionConfig({ limits, askPolicy: "deny" }));
    expect(last.records.at(-1)).toEqual({
      type: "turn-ended",
      turnId: "t1",
      outcome: "limit-reached",
      message: message ?? `the turn's limit of ${allowed} ${name} was reached`,
      rolledBack: false,
    });
    expect(last.effects).toEqual([]);
    expect(state.operation).toEqual({ type: "idle" });
    expect(checkInvariants(journal)).toEqual([]);
  },
);

test.each(cases)(
  "a user is asked at the limit of $name, once, and across restarts",
  ({ name: limit, limits, count, used, allowed }) => {
    const { last, state } = play([...begun, ...rounds(count)], sessionConfig({ limits }));
    const interaction = {
      id: "1-t1",
      request: { type: "budget", limit, used, allowed },
      digest: "1-t1",
      openedAt: 0,
      expiresAt: null,
      origin: tester,
      answerers: ["tester"],
    };
    expect(last.records.at(-1)).toEqual({ type: "interaction-opened", interaction, turnId: "t1" });
    expect(snapshot(state, 0).pending).toEqual([interaction]);
    const again = play([...begun, ...rounds(count), restarts], sessionConfig({ limits }));
    expect(again.last).toMatchObject({ records: [], effects: [] });
  },
);

const limited = sessionConfig({ limits: { maxModelCallsPerTurn: 2 } });
const atLimit = [...begun, ...rounds(2)];

test("`continue` allows as much again, and then asks again", () => {
  const went = play([...atLimit, answers("1-t1", { type: "continue" })], limited);
  expect(went.last.records).toMatchObject([
    { type: "interaction-resolved", interactionId: "1-t1", answer: { type: "continue" } },
    { type: "step-started", stepId: "t1.s3" },
  ]);
  const further = play([...atLimit, answers("1-t1", { type: "continue" }), ...round(3), ...round(4)], limited);
  expect(further.last.records.at(-1)).toMatchObject({
    type: "interaction-opened",
    interaction: { id: "2-t1", request: { used: 4, allowed: 4 } },
  });
  expect(checkInvariants(further.journal)).toEqual([]);
});

test("`stop` ends the turn, and the question is resolved once", () => {
  const { last, journal } = play([...atLimit, answers("1-t1", { type: "stop" })], limited);
  expect(last).toEqual({
    records: [
      {
        type: "interaction-resolved",
        interactionId: "1-t1",
        answer: { type: "stop" },
        origin: { frontend: "cli", user: "tester" },
      },
      {
        type: "turn-ended",
        turnId: "t1",
        outcome: "limit-reached",
        message: "a limit was reached and a user chose to stop",
        rolledBack: false,
      },
    ],
    effects: [],
  });
  expect(checkInvariants(journal)).toEqual([]);
});

test("answers that do not fit, are foreign or late change nothing", () => {
  const nothing = { records: [], effects: [] };
  for (const type of ["deny", "accept-as-done", "tell-model", "discard"] as const)
    expect(play([...atLimit, answers("1-t1", { type })], limited).last).toMatchObject(nothing);
  expect(play([...atLimit, answers("2-t1", { type: "stop" })], limited).last).toMatchObject(nothing);
  const stopped = [...atLimit, answers("1-t1", { type: "stop" })];
  expect(play([...stopped, answers("1-t1", { type: "continue" })], limited).last).toMatchObject(nothing);
});

test("cancelled instead of answered, the question is withdrawn", () => {
  expect(play([...atLimit, cancels("timeout")], limited).last.records).toMatchObject([
    { type: "interaction-resolved", interactionId: "1-t1", answer: { type: "void" } },
    { type: "turn-ended", outcome: "timeout", rolledBack: false },
  ]);
});

test("a model without known prices costs an unknown amount, and no limit of money stops it", () => {
  const { prices: _prices, ...model } = limited.model;
  const { state } = play([...begun, ...rounds(3)], sessionConfig({ model, limits: { maxCostUsd: 0.000_001 } }));
  expect(state.costUsd).toBeNull();
  expect(state.operation.type).toBe("streaming");
});

import { decide, type Stimulus } from "@capstan/engine";
import { type InteractionAnswer, type Origin, toInteractionId } from "@capstan/protocol";
import {
  action,
  allowing,
  answers,
  call,
  callAnswer,
  cancels,
  checkInvariants,
  completes,
  ends,
  fires,
  inDoubt,
  packed,
  play,
  prepared,
  probed,
  restarts,
  says,
  sessionConfig,
  staged,
} from "@capstan/testkit";
import { describe, expect, test } from "vitest";

const patient = sessionConfig({
  interactionExpiryMs: 1000,
  onUnknown: "ask",
  limits: { maxModelCallsPerTurn: 1 },
  policy: { rules: [allowing("act")] },
});
const begun = [says("t1"), packed("t1")];

function batchOf(tool: string): readonly Stimulus[] {
  return [
    ...begun,
    completes("t1.s1", callAnswer([call("a", tool)])),
    prepared("t1.s1", { a: action(tool, { path: "x" }) }),
  ];
}

interface Case {
  readonly name: string;
  /** What leads to the interaction `1-t1`. */
  readonly until: readonly Stimulus[];
  readonly answer: InteractionAnswer;
  /** What follows when nobody answers in time. */
  readonly unanswered: object;
}

const cases: readonly Case[] = [
  {
    name: "an approval",
    until: batchOf("change"),
    answer: { type: "deny" },
    unanswered: { type: "tool-finished", outcome: { type: "denied", by: "unattended" } },
  },
  {
    name: "a question",
    until: batchOf("ask"),
    answer: { type: "reply", answers: [["yes"]] },
    unanswered: { type: "tool-finished", outcome: { type: "denied", by: "unattended" } },
  },
  {
    name: "a limit",
    until: [...batchOf("look"), ends("a")],
    answer: { type: "stop" },
    unanswered: {
      type: "turn-ended",
      outcome: "limit-reached",
      message: "a limit was reached and nobody answered in time",
    },
  },
  {
    name: "calls in doubt",
    until: [...batchOf("act"), staged("a"), restarts, probed("t1.s1", { a: inDoubt })],
    answer: { type: "tell-model" },
    unanswered: { type: "tool-finished", outcome: { type: "unknown" } },
  },
];

const stopTimer = { type: "stop-timer", timerId: "1-t1.expiry" } as const;

function resolved(word: string): object {
  return { type: "interaction-resolved", interactionId: "1-t1", answer: { type: word } };
}

function given(id: string, answer: InteractionAnswer, origin: Origin, at: number): Stimulus {
  return {
    type: "submission",
    submission: { type: "answer", interactionId: toInteractionId(id), answer },
    origin,
    role: "operate",
    at,
  };
}

describe.each(cases)("$name ends once, and its timer with it", ({ until, answer, unanswered }) => {
  test("by the answer", () => {
    const { last, journal } = play([...until, answers("1-t1", answer)], patient);
    expect(last.records[0]).toMatchObject(resolved(answer.type));
    expect(last.effects).toContainEqual(stopTimer);
    expect(checkInvariants(journal)).toEqual([]);
  });

  test("by its time, without anybody", () => {
    const { last, journal } = play([...until, fires("1-t1.expiry")], patient);
    expect(last.records.slice(0, 2)).toMatchObject([
      { ...resolved("expired"), origin: { frontend: "engine" } },
      unanswered,
    ]);
    expect(last.effects).not.toContainEqual(stopTimer);
    expect(checkInvariants(journal)).toEqual([]);
  });

  test("by the end of its turn", () => {
    const { last, journal } = play([...until, cancels()], patient);
    expect(last.records[0]).toMatchObject({ ...resolved("void"), origin: { frontend: "engine" } });
    expect(last.effects).toContainEqual(stopTimer);
    expect(checkInvariants(journal)).toEqual([]);
  });

  test("and not by an answer from somebody else, too late, of another kind, or to something else", () => {
    const { state } = play(until, patient);
    const tester: Origin = { frontend: "cli", user: "tester" };
    const stale: InteractionAnswer = { type: "approve", digest: "another" };
    for (const stimulus of [
      given("1-t1", answer, { frontend: "cli", user: "other" }, 0),
      given("1-t1", answer, { frontend: "cli" }, 0),
      given("1-t1", answer, tester, 1000),
      given("1-t1", { type: "plan", decision: "proceed", digest: "1-t1" }, tester, 0),
      given("1-t1", stale, tester, 0),
      given("2-t1", answer, tester, 0),
    ])
      expect(decide(state, stimulus)).toMatchObject({ records: [], effects: [] });
    expect(decide(state, given("1-t1", answer, tester, 999)).records).not.toEqual([]);
  });
});

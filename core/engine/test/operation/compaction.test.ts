import { conversation, type SessionState } from "@capstan/session";
import type { Stimulus } from "@capstan/engine";
import {
  action,
  call,
  callAnswer,
  cancels,
  checkInvariants,
  completes,
  ends,
  fails,
  fires,
  packed,
  play,
  prepared,
  restarts,
  says,
  sessionConfig,
  submit,
  testUsage,
  textAnswer,
} from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { userSays } from "../words.ts";

const compact = submit({ type: "compact" });

/** Turns of two messages each. */
function turns(count: number): readonly Stimulus[] {
  return Array.from({ length: count }, (_, index) => turn(`t${index + 1}`)).flat();
}

function turn(id: string): readonly Stimulus[] {
  return [says(id), packed(id), completes(`${id}.s1`, textAnswer(`answer of ${id}`))];
}

/** A turn in which a tool ran: four messages. */
function workingTurn(id: string): readonly Stimulus[] {
  return [
    says(id),
    packed(id),
    completes(`${id}.s1`, callAnswer([call(`${id}c`, "look", { path: id })])),
    prepared(`${id}.s1`, { [`${id}c`]: action("look") }),
    ends(`${id}c`),
    completes(`${id}.s2`, textAnswer(`answer of ${id}`)),
  ];
}

const step = "session.c1";
const model = "test/model-1";

test("the older messages are summarised by the model, and the last four are left as they are", () => {
  const { last } = play([...turns(4), compact]);
  expect(last.records).toEqual([{ type: "compaction-started", stepId: step, messageCount: 4, attempt: 1, model }]);
  const [effect] = last.effects;
  expect(effect).toMatchObject({ type: "call-model", stepId: step, attempt: 1, request: { maxOutputTokens: 64 } });
  const messages = effect?.type === "call-model" ? effect.request.messages : [];
  expect(messages.slice(0, 4)).toEqual(play(turns(2)).state.conversation);
  expect(messages).toHaveLength(5);
  expect(messages[4]?.role).toBe("user");
});

test("a summary stands in for what it summarises, and the originals stay", () => {
  const { last, state, journal } = play([...turns(4), compact, completes(step, textAnswer(" It was about words. "))]);
  expect(last).toEqual({
    records: [
      {
        type: "compaction-completed",
        stepId: step,
        summary: "It was about words.",
        messageCount: 4,
        usage: testUsage,
        costUsd: 0.0045,
        kept: [{ kind: "first-request", text: "words of t1" }],
        tokens: { before: expect.any(Number), after: expect.any(Number) },
      },
    ],
    effects: [],
  });
  expect(state.conversation).toEqual(play(turns(4)).state.conversation);
  expect(conversation(state)).toEqual([
    userSays(
      "[Summary of the conversation so far]\nIt was about words.\n\nWord for word, from the same conversation:\n- The first request: words of t1",
      "words of t3",
    ),
    ...state.conversation.slice(5),
  ]);
  expect(checkInvariants(journal)).toEqual([]);
});

test("a summary of a summary stands in for both", () => {
  const { state } = play(
    [
      ...turns(4),
      compact,
      completes(step, textAnswer("first")),
      turn("t5"),
      turn("t6"),
      compact,
      completes("session.c2", textAnswer("second")),
    ].flat(),
  );
  const kept = [{ kind: "first-request", text: "words of t1" }];
  expect(state.summary).toEqual({ stepId: "session.c2", text: "second", messageCount: 8, kept, tasks: [] });
  expect(conversation(state)).toHaveLength(4);
});

test("with nothing to summarise a user is notified", () => {
  const reported = {
    type: "notice",
    level: "info",
    code: "compaction.nothing",
    text: "There is nothing to summarise yet.",
  };
  for (const before of [[], turns(1), turns(2), workingTurn("t1")])
    expect(play([...before, compact]).last).toEqual({ records: [reported], effects: [] });
  const again = [...turns(3), compact, completes(step, textAnswer("s")), compact];
  expect(play(again).last).toEqual({ records: [reported], effects: [] });
});

test("no call is parted from its result", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }), (kinds) => {
      const before = kinds.flatMap((works, index) => (works ? workingTurn(`t${index}`) : turn(`t${index}`)));
      const { journal } = play([...before, compact, completes(step, textAnswer("so"))]);
      expect(checkInvariants(journal)).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

test("words said meanwhile wait, and begin when the summary stands", () => {
  const { last } = play([...turns(3), compact, says("t9"), completes(step, textAnswer("so"))]);
  expect(last.records.map((record) => record.type)).toEqual(["compaction-completed", "turn-started"]);
});

test.each<[string, Stimulus, string]>([
  ["the model fails for good", fails(step, { retryable: false, message: "no" }), "no"],
  [
    "the summary is cut off",
    completes(step, textAnswer("so", { reason: "length" })),
    "the model gave no whole summary (length)",
  ],
  ["the summary is empty", completes(step, textAnswer(" ")), "the model gave no whole summary (stop)"],
  [
    "the model calls a tool instead",
    completes(step, callAnswer([call("a", "look")])),
    "the model gave no whole summary (tool-calls)",
  ],
  ["it is cancelled", cancels(), "cancelled"],
])("when %s nothing changes, and waiting words begin", (_case, stimulus, message) => {
  const before = play(turns(3)).state;
  const { last, state } = play([...turns(3), compact, says("t9"), stimulus]);
  expect(last.records[0]).toMatchObject({ type: "compaction-failed", stepId: step, message });
  expect(last.records[1]).toMatchObject({ type: "turn-started", turnId: "t9" });
  expect(state.summary).toBeNull();
  expect(state.conversation.slice(0, -1)).toEqual(before.conversation);
});

test("an answer that was no summary is paid for all the same", () => {
  const before = play(turns(3)).state;
  const { last, state } = play([...turns(3), compact, completes(step, textAnswer(" "))]);
  expect(last.records[0]).toMatchObject({ type: "compaction-failed", usage: testUsage, costUsd: 0.0045 });
  expect(state.usage.outputTokens - before.usage.outputTokens).toBe(testUsage.outputTokens);
  expect((state.costUsd ?? 0) - (before.costUsd ?? 0)).toBeCloseTo(0.0045);
});

test("a failed call is tried again after its delay, and a late outcome of the first attempt changes nothing", () => {
  const failed = [...turns(3), compact, fails(step, { retryAfterMs: 10 })];
  expect(play(failed).last).toMatchObject({
    records: [{ type: "step-retrying", stepId: step, attempt: 1, delayMs: 10 }],
    effects: [{ type: "start-timer", timerId: `${step}.retry1`, delayMs: 10 }],
  });
  for (const late of [completes(step, textAnswer("late")), fails(step)])
    expect(play([...failed, late]).last).toEqual({ records: [], effects: [] });
  const { last } = play([...failed, fires(`${step}.retry1`)]);
  expect(last.records).toEqual([{ type: "compaction-started", stepId: step, messageCount: 2, attempt: 2, model }]);
});

test("after a restart the summary is asked for again, as the same compaction", () => {
  const { last, state } = play([...turns(3), compact, restarts]);
  expect(last.records).toEqual([{ type: "compaction-started", stepId: step, messageCount: 2, attempt: 2, model }]);
  expect(state.compactions).toBe(1);
});

test("a cancelled compaction stops the call and the timer", () => {
  expect(play([...turns(3), compact, cancels()]).last.effects).toEqual([
    { type: "stop-model", stepId: step },
    { type: "stop-timer", timerId: `${step}.retry1` },
  ]);
});

test("the room for a summary is a share of the original, within bounds", () => {
  expect(roomFor(10)).toBe(64);
  expect(roomFor(1_000_000)).toBe(2048);
  expect(roomFor(20_000)).toBeGreaterThan(700);
  expect(roomFor(20_000)).toBeLessThan(900);
});

test("a compaction does not begin while a turn runs", () => {
  check(play([...turns(3), says("t9"), compact]).state);
  check(play([...turns(3), says("t9"), packed("t9"), compact]).state);
});

const roomFor = (characters: number): number => {
  const long = (id: string): readonly Stimulus[] => [
    says(id, "x".repeat(characters)),
    packed(id),
    completes(`${id}.s1`, textAnswer("ok")),
  ];
  const [effect] = play([...long("t1"), ...turns(4).slice(3), ...turn("t9"), compact], sessionConfig()).last.effects;
  return effect?.type === "call-model" ? effect.request.maxOutputTokens : 0;
};

const check = (state: SessionState): void => expect(state.operation.type).not.toBe("summarizing");

import { snapshot, type Stimulus } from "@capstan/engine";
import type { InteractionAnswer, OnUnknown } from "@capstan/protocol";
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
  packed,
  play,
  prepared,
  restarts,
  says,
  sessionConfig,
  staged,
} from "@capstan/testkit";
import { expect, test } from "vitest";
import { results } from "../words.ts";

const act = action("act");
const unknown =
  "Interrupted: the process died while this ran, and it is not known whether it took effect. It was not run again. Check the state of the workspace before you go on.";

/** A read that ended, a command that runs, and a read that waits for it. */
const running = [
  says("t1"),
  packed("t1"),
  completes("t1.s1", callAnswer([call("a", "look"), call("b", "act"), call("c", "look")])),
  prepared("t1.s1", { a: action("look"), b: act, c: action("look") }),
  ends("a"),
  staged("b"),
];

function settings(onUnknown: OnUnknown) {
  return sessionConfig({ onUnknown, policy: { rules: [allowing("act")] } });
}

test("a read that was under way runs again by itself, and its start is not journaled twice", () => {
  const { last, journal } = play([
    says("t1"),
    packed("t1"),
    completes("t1.s1", callAnswer([call("a", "look")])),
    prepared("t1.s1", { a: action("look") }),
    restarts,
  ]);
  expect(last).toEqual({
    records: [{ type: "session-recovered", found: "a batch of tool calls that had not ended" }],
    effects: [{ type: "run-tool", callId: "a", action: action("look") }],
  });
  expect(journal.filter((record) => record.type === "tool-started")).toHaveLength(1);
});

test("calls that were not ready yet are prepared again; those that were refused stay so", () => {
  const { last } = play([
    says("t1"),
    packed("t1"),
    completes("t1.s1", callAnswer([call("a", "look"), call("b", "act")], {})),
    restarts,
  ]);
  expect(last.effects).toEqual([
    { type: "prepare-actions", stepId: "t1.s1", calls: [call("a", "look"), call("b", "act")] },
  ]);
});

test("an effect that was only worked out is worked out again", () => {
  const { last } = play([...running.slice(0, -1), restarts], settings("fail"));
  expect(last.effects).toEqual([{ type: "stage-tool", callId: "b", action: act }]);
});

test("`fail`: the turn ends as of unknown outcome, every call answered", () => {
  const { last, state } = play([...running, restarts], settings("fail"));
  expect(last).toMatchObject({
    records: [
      { type: "session-recovered" },
      { type: "tool-finished", callId: "b", outcome: { type: "unknown", content: unknown } },
      { type: "tool-finished", callId: "c", outcome: { type: "cancelled" } },
      { type: "turn-ended", outcome: "outcome-unknown", rolledBack: false },
    ],
    effects: [],
  });
  expect(state.conversation.at(-1)).toEqual(
    results(
      ["a", "look", "result of a"],
      ["b", "act", unknown, true],
      ["c", "look", "Not run: the turn ended first.", true],
    ),
  );
});

test("`tell-model`: the call is answered as unknown, and the rest of the batch goes on", () => {
  const { last } = play([...running, restarts], settings("tell-model"));
  expect(last).toMatchObject({
    records: [
      { type: "session-recovered" },
      { type: "tool-finished", callId: "b", outcome: { type: "unknown" } },
      { type: "tool-started", callId: "c" },
    ],
    effects: [{ type: "run-tool", callId: "c" }],
  });
});

test("`ask`: a person is shown the calls in doubt, and nothing runs meanwhile, however often the process restarts", () => {
  const { last, state } = play([...running, restarts], settings("ask"));
  const interaction = { id: "t1.i1", request: { type: "recovery", calls: [{ callId: "b", action: act }] } };
  expect(last).toEqual({
    records: [
      { type: "session-recovered", found: "a batch of tool calls that had not ended" },
      { type: "interaction-opened", interaction, turnId: "t1" },
    ],
    effects: [],
  });
  expect(snapshot(state, 0).pending).toEqual([interaction]);
  expect(snapshot(state, 0).activity).toEqual({ type: "recovery", turnId: "t1" });
  expect(play([...running, restarts, restarts], settings("ask")).last).toEqual({ records: [], effects: [] });
});

test.each<[InteractionAnswer["type"], string, readonly string[], readonly string[]]>([
  ["accept-as-done", "done", ["interaction-resolved", "tool-finished", "tool-started"], ["run-tool"]],
  ["tell-model", "unknown", ["interaction-resolved", "tool-finished", "tool-started"], ["run-tool"]],
  ["discard", "unknown", ["interaction-resolved", "tool-finished", "tool-finished", "turn-ended"], []],
])("a person's `%s` stores the call as %s", (type, outcome, records, effects) => {
  const { last, journal } = play([...running, restarts, recoveryAnswer(type)], settings("ask"));
  expect(last.records.map((record) => record.type)).toEqual(records);
  expect(last.effects.map((effect) => effect.type)).toEqual(effects);
  expect(last.records[1]).toMatchObject({ type: "tool-finished", callId: "b", outcome: { type: outcome } });
  expect(checkInvariants(journal)).toEqual([]);
});

test("answers that do not fit, come late or are foreign change nothing", () => {
  const nothing = { records: [], effects: [] };
  const before = [...running, restarts];
  for (const type of ["deny", "continue", "stop"] as const)
    expect(play([...before, answers("t1.i1", { type })], settings("ask")).last).toEqual(nothing);
  expect(play([...before, answers("t1.i1", { type: "approve", digest: act.digest })], settings("ask")).last).toEqual(
    nothing,
  );
  expect(play([...before, answers("t1.i9", { type: "discard" })], settings("ask")).last).toEqual(nothing);
  const answered = [...before, recoveryAnswer("tell-model")];
  expect(play([...answered, recoveryAnswer("discard")], settings("ask")).last).toEqual(nothing);
  expect(play([...before, ends("b")], settings("ask")).last).toEqual(nothing);
});

test("cancelled instead of answered, the question is withdrawn and no call is stored as a success", () => {
  const { last } = play([...running, restarts, cancels()], settings("ask"));
  expect(last.records).toMatchObject([
    { type: "interaction-resolved", interactionId: "t1.i1", answer: { type: "void" } },
    { type: "tool-finished", callId: "b", outcome: { type: "cancelled" } },
    { type: "tool-finished", callId: "c", outcome: { type: "cancelled" } },
    { type: "turn-ended", outcome: "interrupted" },
  ]);
});

test("a session that is killed again and again runs its command once", () => {
  const [said, facts, ...loop] = running;
  if (said === undefined || facts === undefined) throw new Error("no turn");
  const killed: readonly Stimulus[] = [said, facts, ...loop.flatMap((stimulus) => [stimulus, restarts, restarts])];
  const { effects } = play(killed, settings("tell-model"));
  expect(effects.filter((effect) => effect.type === "run-tool" && effect.callId === "b")).toHaveLength(1);
});

function recoveryAnswer(type: InteractionAnswer["type"]): Stimulus {
  return answers("t1.i1", type === "approve" ? { type, digest: "" } : { type });
}

import type { Stimulus } from "@capstan/engine";
import { expect, test } from "vitest";
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
  message,
  packed,
  play,
  playOn,
  prepared,
  providerFailure,
  restarts,
  says,
  sessionConfig,
  testUsage,
  textAnswer,
} from "@capstan/testkit";
import { userSays, words } from "../words.ts";

const asked = [says("t1", "hello"), packed("t1")];

test("what is received is journaled piece by piece, in order", () => {
  const { last } = play([
    ...asked,
    receives("t1.s1", [
      { type: "thinking-delta", delta: "hm" },
      { type: "text-delta", delta: "Hel" },
      { type: "tool-arguments-delta", index: 0, name: "look", delta: '{"p' },
    ]),
  ]);
  expect(last).toEqual({
    records: [
      { type: "thinking-delta", stepId: "t1.s1", delta: "hm" },
      { type: "text-delta", stepId: "t1.s1", delta: "Hel" },
      { type: "tool-arguments-delta", stepId: "t1.s1", index: 0, name: "look", delta: '{"p' },
    ],
    effects: [],
  });
});

test("unknown stream events are reported to users, at most eight a step", () => {
  const odd = { type: "unknown", what: "ping", raw: { a: 1 } } as const;
  const { journal } = play([
    ...asked,
    receives("t1.s1", [odd, odd, odd, odd, odd]),
    receives("t1.s1", [odd, odd, odd, odd, odd]),
  ]);
  const notices = journal.filter((record) => record.type === "notice");
  const notice = {
    type: "notice",
    level: "info",
    code: "provider.unknown-event",
    text: `The model's stream had something unknown (ping): {"a":1}`,
  };
  expect(notices).toEqual(Array.from({ length: 8 }, () => notice));
});

test("a whole answer without calls ends the turn", () => {
  const { last, state } = play([...asked, completes("t1.s1", textAnswer("Hello!", { responseId: "r1" }))]);
  expect(last).toEqual({
    records: [
      {
        type: "step-completed",
        stepId: "t1.s1",
        message: message("Hello!"),
        reason: "stop",
        usage: testUsage,
        costUsd: 0.0045,
        responseId: "r1",
      },
      { type: "turn-ended", turnId: "t1", outcome: "done", rolledBack: false },
    ],
    effects: [],
  });
  expect(state.conversation).toEqual([userSays("hello"), message("Hello!")]);
});

test.each([
  ["length", "limit-reached", "the answer was cut off at the model's output limit", false],
  ["refusal", "error", "the model refused to answer", true],
  ["content-filter", "error", "the vendor's content filter stopped the answer", true],
] as const)("an answer that ends with %s ends the turn as %s", (reason, outcome, text, rolledBack) => {
  const { last, state } = play([...asked, completes("t1.s1", textAnswer("So", { reason }))]);
  expect(last.records.at(-1)).toEqual({
    type: "turn-ended",
    turnId: "t1",
    outcome,
    message: text,
    rolledBack,
    ...(rolledBack ? { draft: words("hello") } : {}),
  });
  expect(state.conversation).toEqual(rolledBack ? [] : [userSays("hello"), message("So")]);
});

test("an unknown finish reason is reported to users and counts as an end", () => {
  const { last } = play([...asked, completes("t1.s1", textAnswer("So", { reason: "other", rawReason: "moon_phase" }))]);
  expect(last.records.slice(1)).toEqual([
    {
      type: "notice",
      level: "warning",
      code: "provider.unknown-finish",
      text: "The model stopped for a reason that is not known here (moon_phase); its answer may be incomplete.",
    },
    { type: "turn-ended", turnId: "t1", outcome: "done", rolledBack: false },
  ]);
});

test("an answer of nothing is reported to users, each time; one that has words, a call or another reason is not", () => {
  expect(codes([...asked, nothing("t1.s1")])).toEqual(["provider.empty-answer"]);
  expect(codes([...asked, completes("t1.s1", textAnswer(" \n"))])).toEqual(["provider.empty-answer"]);
  const again = [...asked, nothing("t1.s1"), says("t2"), packed("t2"), nothing("t2.s1")];
  expect(codes(again)).toEqual(["provider.empty-answer", "provider.empty-answer"]);
  expect(play([...asked, nothing("t1.s1")]).last.records.at(-1)).toMatchObject({ type: "turn-ended", outcome: "done" });
  expect(codes([...asked, completes("t1.s1", textAnswer("Yes."))])).toEqual([]);
  expect(codes([...asked, completes("t1.s1", callAnswer([call("a", "look")]))])).toEqual([]);
  expect(codes([...asked, completes("t1.s1", textAnswer("", { reason: "refusal" }))])).toEqual([]);
});

test("a paused answer is sent back as it is, and its continuation joins it", () => {
  const paused = play([...asked, completes("t1.s1", textAnswer("First, ", { reason: "pause" }))]);
  expect(paused.last.effects).toMatchObject([
    { type: "call-model", stepId: "t1.s2", request: { messages: [userSays("hello"), message("First, ")] } },
  ]);
  const { state } = play([
    ...paused.moves.map((move) => move.stimulus),
    completes("t1.s2", textAnswer("then.")),
    says("t2", "more"),
    packed("t2"),
  ]);
  expect(state.operation.type).toBe("streaming");
  expect(state.conversation).toEqual([userSays("hello"), message("First, "), message("then."), userSays("more")]);
});

test("a model that only pauses does not keep the turn going forever", () => {
  const pauses = Array.from({ length: 50 }, (_, index) =>
    completes(`t1.s${index + 1}`, textAnswer(".", { reason: "pause" })),
  );
  const { journal, state } = play([...asked, ...pauses]);
  expect(state.operation).toEqual({ type: "idle" });
  expect(journal.filter((record) => record.type === "step-started")).toHaveLength(33);
  expect(journal.at(-1)).toMatchObject({ type: "turn-ended", outcome: "limit-reached" });
});

test("an answer without anything in it leaves the conversation as it is", () => {
  const { state } = play([...asked, completes("t1.s1", { ...textAnswer(""), message: message("") })]);
  expect(state.conversation).toEqual([userSays("hello")]);
});

test("late and foreign pieces of an answer change nothing", () => {
  const stimuli = [
    receives("t1.s2", [{ type: "text-delta", delta: "x" }]),
    receives("t1.s1", [{ type: "text-delta", delta: "x" }], 2),
    completes("t0.s1", textAnswer("x")),
    completes("t1.s1", textAnswer("x"), 2),
    fails("t1.s1", {}, 2),
    fires("t1.s1.retry1"),
  ];
  for (const stimulus of stimuli) expect(play([...asked, stimulus]).last).toEqual({ records: [], effects: [] });
});

test("a failure for good ends the turn, and the words come back as a draft", () => {
  const failure = providerFailure({ retryable: false, message: "no such model", status: 404 });
  const { last, state } = play([
    ...asked,
    receives("t1.s1", [{ type: "text-delta", delta: "So" }]),
    fails("t1.s1", failure),
  ]);
  expect(last).toEqual({
    records: [
      { type: "step-abandoned", stepId: "t1.s1", cause: "failed", text: "So", failure },
      {
        type: "turn-ended",
        turnId: "t1",
        outcome: "provider-failed",
        message: "no such model",
        failure,
        rolledBack: true,
        draft: words("hello"),
      },
    ],
    effects: [],
  });
  expect(state.conversation).toEqual([]);
});

test("interrupted in mid-answer, the call is stopped, the words are handed back, and what was shown stays in its record alone", () => {
  const { last, state } = play([...asked, receives("t1.s1", [{ type: "text-delta", delta: "So far " }]), cancels()]);
  expect(last).toEqual({
    records: [
      { type: "step-abandoned", stepId: "t1.s1", cause: "cancelled", text: "So far " },
      {
        type: "turn-ended",
        turnId: "t1",
        outcome: "interrupted",
        message: "the turn was interrupted",
        rolledBack: true,
        draft: words("hello"),
      },
    ],
    effects: [{ type: "stop-model", stepId: "t1.s1" }],
  });
  expect(state.conversation).toEqual([]);
});

test("interrupted once more, and read again after a restart, the words are still handed back once, and not said", () => {
  const first = play([...asked, receives("t1.s1", [{ type: "text-delta", delta: "So far " }]), cancels()]);
  const again = playOn(first, cancels());
  expect(again.last.records).toEqual([]);
  const { state, journal } = [restarts, says("t2", "said better"), packed("t2")].reduce(playOn, again);
  expect(journal.flatMap((record) => (record.type === "turn-ended" ? [record.draft] : []))).toEqual([words("hello")]);
  expect(state.conversation).toEqual([userSays("said better")]);
  const shown = journal.filter((record) => record.type === "step-abandoned");
  expect(shown).toMatchObject([{ text: "So far " }]);
});

test.each(["timeout", "terminated"] as const)(
  "stopped in mid-answer by a %s, what was shown stays in the conversation",
  (reason) => {
    const { state } = play([...asked, receives("t1.s1", [{ type: "text-delta", delta: "So far " }]), cancels(reason)]);
    expect(state.conversation).toEqual([userSays("hello"), message("So far")]);
  },
);

test("interrupted after a tool ran, what happened stays, and nothing is handed back", () => {
  const ran = [
    completes("t1.s1", callAnswer([call("a", "look")])),
    prepared("t1.s1", { a: action("look") }),
    ends("a"),
  ];
  const { last, state } = play([
    ...asked,
    ...ran,
    receives("t1.s2", [{ type: "text-delta", delta: "Then " }]),
    cancels(),
  ]);
  expect(last.records.at(-1)).toMatchObject({ type: "turn-ended", rolledBack: false });
  expect(state.conversation.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
});

test("cancelled before anything was shown, the turn leaves no trace", () => {
  const { state } = play([...asked, cancels()]);
  expect(state.conversation).toEqual([]);
});

test("cancelled while it waits for the next attempt, the timer is stopped", () => {
  const { last } = play([...asked, fails("t1.s1"), cancels("timeout")]);
  expect(last.effects).toEqual([{ type: "stop-timer", timerId: "t1.s1.retry1" }]);
  expect(last.records.at(-1)).toMatchObject({ type: "turn-ended", outcome: "timeout" });
});

test("cancelled during the wait before a retry, nothing that the failed attempt had shown stays", () => {
  const shown = receives("t1.s1", [{ type: "text-delta", delta: "Half an ans" }]);
  const { last, state } = play([...asked, shown, fails("t1.s1"), cancels()]);
  expect(last.records[0]).toMatchObject({ type: "step-abandoned", cause: "cancelled", text: "" });
  expect(state.conversation).toEqual([]);
});

test("the turn's time limit stops it, whatever it does", () => {
  const config = sessionConfig({ limits: { maxTurnDurationMs: 60_000 } });
  expect(play([says("t1")], config).last.effects).toEqual([
    { type: "start-timer", timerId: "t1.deadline", delayMs: 60_000 },
    { type: "pack-context", turnId: "t1" },
  ]);
  const { last } = play([...asked, fires("t1.deadline")], config);
  expect(last.records.at(-1)).toMatchObject({ type: "turn-ended", outcome: "timeout" });
  expect(last.effects).toEqual([
    { type: "stop-model", stepId: "t1.s1" },
    { type: "stop-timer", timerId: "t1.deadline" },
  ]);
});

test("after a restart the time limit runs again", () => {
  const config = sessionConfig({ limits: { maxTurnDurationMs: 60_000 } });
  expect(play([...asked, restarts], config).last.effects.at(-1)).toEqual({
    type: "start-timer",
    timerId: "t1.deadline",
    delayMs: 60_000,
  });
});

test("after a restart the same step is asked again when nothing was shown", () => {
  const { last } = play([...asked, restarts]);
  expect(last.records).toEqual([
    { type: "session-recovered", found: "a model call that had not ended" },
    { type: "step-started", stepId: "t1.s1", turnId: "t1", attempt: 2, model: "test/model-1" },
  ]);
  expect(last.effects).toMatchObject([{ type: "call-model", stepId: "t1.s1", attempt: 2 }]);
});

test("after a restart thinking that was shown is kept, too", () => {
  const { last } = play([...asked, receives("t1.s1", [{ type: "thinking-delta", delta: "hm" }]), restarts]);
  expect(last.records).toMatchObject([
    { type: "session-recovered" },
    { type: "step-abandoned", stepId: "t1.s1", cause: "process-died", text: "", thinking: "hm" },
    { type: "step-started", stepId: "t1.s2", attempt: 1 },
  ]);
});

test("after a restart what was shown is kept for people, and the model is asked again", () => {
  const { last, state } = play([...asked, receives("t1.s1", [{ type: "text-delta", delta: "So" }]), restarts]);
  expect(last.records).toEqual([
    { type: "session-recovered", found: "a model call that had not ended" },
    { type: "step-abandoned", stepId: "t1.s1", cause: "process-died", text: "So" },
    { type: "step-started", stepId: "t1.s2", turnId: "t1", attempt: 1, model: "test/model-1" },
  ]);
  expect(state.conversation).toEqual([userSays("hello")]);
});

function codes(stimuli: readonly Stimulus[]): readonly string[] {
  return play(stimuli).journal.flatMap((record) => (record.type === "notice" ? [record.code] : []));
}

function nothing(step: string): Stimulus {
  return completes(step, textAnswer(""));
}

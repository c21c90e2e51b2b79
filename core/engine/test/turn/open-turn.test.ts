import { decide } from "@capstan/engine";
import {
  action,
  call,
  callAnswer,
  cancels,
  completes,
  fails,
  packed,
  play,
  prepared,
  providerFailure,
  restarts,
  says,
  sessionConfig,
  submit,
  textAnswer,
} from "@capstan/testkit";
import { expect, test } from "vitest";
import { userSays, words } from "../words.ts";

const busy = [says("t1"), packed("t1")];
const answered = completes("t1.s1", textAnswer("one"));

test("words said while the session is busy wait in line, and begin in order", () => {
  const queued = play([...busy, says("t2"), says("t3")]);
  expect(queued.last).toEqual({
    records: [
      { type: "turn-queued", turnId: "t3", content: words("words of t3"), origin: { frontend: "cli", user: "tester" } },
    ],
    effects: [],
  });
  const { last, state } = play([...busy, says("t2"), says("t3"), answered]);
  expect(last.records.slice(1)).toMatchObject([
    { type: "turn-ended", turnId: "t1" },
    { type: "turn-started", turnId: "t2" },
  ]);
  expect(last.effects).toEqual([{ type: "pack-context", turnId: "t2" }]);
  expect(state.queued.map((waiting) => waiting.turnId)).toEqual(["t3"]);
});

test("the line has an end: what does not fit is refused, and leaves no record", () => {
  const sixteen = Array.from({ length: 16 }, (_, index) => says(`q${index}`));
  const { last, state } = play([...busy, ...sixteen, says("one-more")]);
  expect(last).toMatchObject({ records: [], effects: [], refusal: { code: "input.queue-full" } });
  expect(state.queued).toHaveLength(16);
});

test("words that were refused may be sent again later, words that wait may not", () => {
  const sixteen = Array.from({ length: 16 }, (_, index) => says(`q${index}`));
  expect(play([...busy, ...sixteen, says("late"), answered, says("late")]).last.records).toMatchObject([
    { type: "turn-queued", turnId: "late" },
  ]);
  expect(play([...busy, says("t2"), says("t2")]).last).toEqual({ records: [], effects: [] });
});

test("a cancelled or failed turn makes room for the next one", () => {
  for (const end of [cancels(), fails("t1.s1", { retryable: false })]) {
    const { last } = play([...busy, says("t2"), end]);
    expect(last.records.slice(-2)).toMatchObject([
      { type: "turn-ended", turnId: "t1" },
      { type: "turn-started", turnId: "t2" },
    ]);
  }
});

test("what waits survives a restart", () => {
  const { state } = play([...busy, says("t2"), restarts]);
  expect(state.queued.map((waiting) => waiting.turnId)).toEqual(["t2"]);
});

test("settings change at any time and hold from the next decision on", () => {
  const config = sessionConfig({ model: { ...sessionConfig().model, id: "another" } });
  const { last } = play([...busy, submit({ type: "configure", config })]);
  expect(last).toEqual({ records: [{ type: "session-configured", config }], effects: [] });
  const next = play([...busy, submit({ type: "configure", config }), answered, says("t2"), packed("t2")]);
  expect(next.last.effects).toMatchObject([{ type: "call-model", model: { id: "another" } }]);
});

test("a session without settings takes no words", () => {
  const { state } = play([]);
  expect(decide({ ...state, config: null }, says("t1"))).toEqual({ records: [], effects: [] });
});

test("a turn that failed before any tool ran leaves the conversation as before it, calls and all", () => {
  const { state, journal } = play([
    says("t1"),
    packed("t1"),
    answered,
    says("t2"),
    packed("t2", { date: "Monday" }),
    completes("t2.s1", callAnswer([call("a", "nothing-known")])),
    prepared("t2.s1", { a: { type: "rejected", code: "tool.unknown", content: "Not run." } }),
    fails("t2.s2", { retryable: false }),
  ]);
  expect(journal.at(-1)).toMatchObject({ rolledBack: true, draft: words("words of t2") });
  expect(state.conversation).toEqual([userSays("words of t1"), textAnswer("one").message]);
  expect(state.knownFacts).toEqual({});
});

test("a turn that failed after a tool ran keeps what happened", () => {
  const failure = providerFailure({ retryable: false });
  const { state, journal } = play([
    ...busy,
    completes("t1.s1", callAnswer([call("a", "look")])),
    prepared("t1.s1", { a: action("look") }),
    {
      type: "tool-ended",
      callId: call("a", "look").callId,
      outcome: { type: "done", content: "x" },
      changes: [],
      observed: [],
      durationMs: 1,
    },
    fails("t1.s2", failure),
  ]);
  expect(journal.at(-1)).toEqual({
    type: "turn-ended",
    turnId: "t1",
    outcome: "provider-failed",
    message: "overloaded",
    failure,
    rolledBack: false,
  });
  expect(state.conversation.map((message) => message.role)).toEqual(["user", "assistant", "user"]);
});

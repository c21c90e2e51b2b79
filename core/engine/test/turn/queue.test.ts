import type { QueueChange, ResolvedSubmission } from "@capstan/protocol";
import { toTurnId, userText } from "@capstan/protocol";
import { completes, packed, play, says, submit, textAnswer } from "@capstan/testkit";
import { describe, expect, test } from "vitest";

const busy = [says("t1"), packed("t1")];
const queued = [...busy, says("t2"), says("t3"), says("t4")];
const answered = completes("t1.s1", textAnswer("done"));

function change(turn: string, wanted: QueueChange): ReturnType<typeof submit> {
  return submit({ type: "queue-change", turnId: toTurnId(turn), change: wanted });
}

function steer(turn: string, expected?: string): ResolvedSubmission {
  return {
    type: "user-input",
    turnId: toTurnId(turn),
    content: userText(`words of ${turn}`),
    delivery: "steer",
    ...(expected === undefined ? {} : { expectedTurnId: toTurnId(expected) }),
  };
}

function waitingAfter(...stimuli: readonly ReturnType<typeof submit>[]): readonly string[] {
  return play([...queued, ...stimuli]).state.queued.map(({ turnId }) => turnId);
}

describe("what waits", () => {
  test("is removed, and does not begin", () => {
    expect(waitingAfter(change("t2", { type: "remove" }))).toEqual(["t3", "t4"]);
    expect(play([...queued, change("t2", { type: "remove" }), answered]).last.records).toMatchObject([
      { type: "step-completed" },
      { type: "turn-ended", turnId: "t1" },
      { type: "turn-started", turnId: "t3" },
    ]);
  });

  test("is moved before another, or to the end", () => {
    expect(waitingAfter(change("t4", { type: "move", before: toTurnId("t2") }))).toEqual(["t4", "t2", "t3"]);
    expect(waitingAfter(change("t2", { type: "move", before: null }))).toEqual(["t3", "t4", "t2"]);
  });

  test("is replaced, and begins with its new words in its place", () => {
    const { last } = play([...queued, change("t2", { type: "replace", content: userText("better words") }), answered]);
    expect(last.records.at(-1)).toMatchObject({
      type: "turn-started",
      turnId: "t2",
      content: userText("better words"),
    });
  });

  test("is read by the open turn when it is sent now", () => {
    const sent = play([...queued, change("t3", { type: "now" })]);
    expect(sent.last.records).toMatchObject([{ type: "turn-steered", turnId: "t1", inputId: "t3" }]);
    const next = play([...queued, change("t3", { type: "now" }), answered]);
    expect(next.last.records).toMatchObject([{ type: "step-completed" }, { type: "step-started", stepId: "t1.s2" }]);
    expect(next.last.effects).toMatchObject([
      {
        type: "call-model",
        request: { messages: [{}, { role: "assistant" }, { role: "user", content: userText("words of t3") }] },
      },
    ]);
    expect(next.state.queued.map(({ turnId }) => turnId)).toEqual(["t2", "t4"]);
  });

  test("is refused where it is not there any more, with the reason", () => {
    const gone = play([...queued, change("t2", { type: "remove" }), change("t2", { type: "remove" })]);
    expect(gone.last).toMatchObject({ records: [], refusal: { code: "queue.unknown" } });
    expect(play([...queued, change("t2", { type: "move", before: toTurnId("t9") })]).last.refusal?.code).toBe(
      "queue.unknown",
    );
    expect(play([...queued, change("t2", { type: "replace", content: userText(" ") })]).last.refusal?.code).toBe(
      "input.empty",
    );
  });
});

describe("words for the open turn", () => {
  test("come once, however often they are sent", () => {
    const { state, last } = play([...busy, submit(steer("w1")), submit(steer("w1"))]);
    expect(last).toEqual({ records: [], effects: [] });
    expect(state.operation).toMatchObject({ turn: { steering: [{ inputId: "w1", isRead: false }] } });
  });

  test("are refused when another turn is open than they were meant for, and when none is", () => {
    expect(play([...busy, submit(steer("w1", "t0"))]).last.refusal?.code).toBe("input.other-turn");
    expect(play([submit(steer("w1", "t1"))]).last.refusal?.code).toBe("input.other-turn");
    expect(play([...busy, submit(steer("w1", "t1"))]).last.records).toMatchObject([{ type: "turn-steered" }]);
  });

  test("begin a turn where none is open", () => {
    expect(play([submit(steer("w1"))]).last.records).toMatchObject([{ type: "turn-started", turnId: "w1" }]);
  });

  test("go back to whoever wrote them when the turn is stopped before they were read", () => {
    const { last } = play([...busy, submit(steer("w1")), submit({ type: "cancel", reason: "interrupted" })]);
    expect(last.records).toMatchObject([
      { type: "step-abandoned" },
      { type: "queue-changed", turnId: "w1", change: { type: "handed-back", content: userText("words of w1") } },
      { type: "turn-ended", turnId: "t1", outcome: "interrupted" },
    ]);
  });

  test("that were read go back, too, when the turn leaves no trace", () => {
    const stopped = play([
      says("t1"),
      submit(steer("w1")),
      packed("t1"),
      submit({ type: "cancel", reason: "interrupted" }),
    ]);
    expect(stopped.last.records).toMatchObject([
      { type: "step-abandoned" },
      { type: "queue-changed", turnId: "w1", change: { type: "handed-back" } },
      { type: "turn-ended", rolledBack: true },
    ]);
    expect(stopped.state.conversation).toEqual([]);
  });
});

describe("a cancel", () => {
  test("stops only the turn that it names", () => {
    const other = submit({ type: "cancel", reason: "interrupted", turnId: toTurnId("t9") });
    expect(play([...busy, other]).last.refusal?.code).toBe("input.other-turn");
    const ended = [...busy, answered, says("t2"), packed("t2")];
    const late = submit({ type: "cancel", reason: "interrupted", turnId: toTurnId("t1"), queued: "hand-back" });
    expect(play([...ended, says("t3"), late]).last).toEqual({ records: [], effects: [] });
  });

  test("of an input that waits is refused, and says how it is removed: it has not begun", () => {
    const { last, state } = play([
      ...queued,
      submit({ type: "cancel", reason: "interrupted", turnId: toTurnId("t3") }),
    ]);
    expect(last).toMatchObject({ records: [], refusal: { code: "input.other-turn", hint: expect.any(String) } });
    expect(state.queued).toHaveLength(3);
  });

  test("hands back what waits when it says so, and else begins the next", () => {
    const back = play([...queued, submit({ type: "cancel", reason: "interrupted", queued: "hand-back" })]);
    expect(back.last.records.map(({ type }) => type)).toEqual([
      "step-abandoned",
      "turn-ended",
      "queue-changed",
      "queue-changed",
      "queue-changed",
    ]);
    expect(back.state).toMatchObject({ queued: [], operation: { type: "idle" } });
    const on = play([...queued, submit({ type: "cancel", reason: "interrupted" })]);
    expect(on.last.records.at(-1)).toMatchObject({ type: "turn-started", turnId: "t2" });
  });

  test("where nothing is open is refused", () => {
    expect(play([submit({ type: "cancel", reason: "interrupted" })]).last.refusal?.code).toBe("input.no-turn");
  });
});

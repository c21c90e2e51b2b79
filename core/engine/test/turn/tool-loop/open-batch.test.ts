import type { JournalRecord, SessionConfig, ToolCallBlock } from "@capstan/protocol";
import {
  action,
  call,
  callAnswer,
  callId,
  completes,
  ends,
  packed,
  play,
  prepared,
  says,
  sessionConfig,
  textAnswer,
} from "@capstan/testkit";
import { expect, test } from "vitest";
import { results } from "../../words.ts";

const asked = [says("t1"), packed("t1")];

/** Outcomes the engine gave by itself when the answer arrived: [call, code]. */
function refusals(records: readonly JournalRecord[]): unknown {
  return records.flatMap((record) =>
    record.type === "tool-finished" && record.outcome.type === "rejected" ? [[record.callId, record.outcome.code]] : [],
  );
}

function malformed(id: string): ToolCallBlock {
  return {
    type: "tool-call",
    callId: callId(id),
    name: "look",
    arguments: { type: "malformed", text: '{"a":', problem: "it ends too early" },
  };
}

test("whole calls are handed on to be prepared, in call order", () => {
  const calls = [call("a", "look", { path: "1" }), call("b", "change", { path: "2" })];
  const { last } = play([...asked, completes("t1.s1", callAnswer(calls))]);
  expect(last.records.map((record) => record.type)).toEqual(["step-completed"]);
  expect(last.effects).toEqual([{ type: "prepare-actions", stepId: "t1.s1", calls }]);
});

test.each(["length", "content-filter", "refusal", "other"] as const)(
  "calls of an answer that ended with %s are never run, and the model is informed",
  (reason) => {
    const { last, state } = play([
      ...asked,
      completes("t1.s1", callAnswer([call("a", "look"), call("b", "act")], { reason })),
    ]);
    expect(refusals(last.records)).toEqual([
      ["a", "tool.call-incomplete"],
      ["b", "tool.call-incomplete"],
    ]);
    expect(last.effects).toMatchObject([{ type: "call-model", stepId: "t1.s2" }]);
    const content =
      "Not run: the answer was cut off before this call was certain to be whole. Make the call again, in smaller pieces if it is long.";
    expect(state.conversation.at(-1)).toEqual(results(["a", "look", content, true], ["b", "act", content, true]));
  },
);

test("malformed arguments are answered and never run; the other calls of the batch are", () => {
  const { last } = play([...asked, completes("t1.s1", callAnswer([malformed("a"), call("b", "look")]))]);
  expect(last.records.slice(1)).toEqual([
    {
      type: "tool-finished",
      callId: "a",
      outcome: {
        type: "rejected",
        code: "tool.malformed-arguments",
        content:
          "Not run: the arguments are not a valid JSON object (it ends too early). Make the call again with valid JSON.",
      },
      changes: [],
      observed: [],
      durationMs: 0,
    },
  ]);
  expect(last.effects).toEqual([{ type: "prepare-actions", stepId: "t1.s1", calls: [call("b", "look")] }]);
});

test("arguments are measured in UTF-8 bytes: the largest passes, one more is refused", () => {
  const config = sessionConfig({ limits: { maxToolArgumentsBytes: 20 } });
  const check = (text: string, expected: unknown): void => {
    const { last } = play([...asked, completes("t1.s1", callAnswer([call("a", "look", { path: text })]))], config);
    expect(refusals(last.records)).toEqual(expected);
  };
  check("123456789", []);
  check("1234567890", [["a", "tool.arguments-too-large"]]);
  check("ääää1", []);
  check("äääää", [["a", "tool.arguments-too-large"]]);
  check("😀😀1", []);
  check("😀😀12", [["a", "tool.arguments-too-large"]]);
});

test("calls beyond the limit of a batch are answered and not run", () => {
  const config = sessionConfig({ limits: { maxToolCallsPerBatch: 2 } });
  const calls = ["a", "b", "c", "d"].map((id) => call(id, "look", { path: id }));
  const { last } = play([...asked, completes("t1.s1", callAnswer(calls))], config);
  expect(refusals(last.records)).toEqual([
    ["c", "tool.too-many-calls"],
    ["d", "tool.too-many-calls"],
  ]);
  expect(last.effects).toEqual([{ type: "prepare-actions", stepId: "t1.s1", calls: calls.slice(0, 2) }]);
});

test("the third identical call in a row is answered instead of run, across steps and whatever the order of keys", () => {
  const { last } = play([
    ...asked,
    ...once(1, "a", call("a", "look", { path: "x", line: 1 })),
    ...once(2, "b", call("b", "look", { line: 1, path: "x" })),
    completes("t1.s3", callAnswer([call("c", "look", { path: "x", line: 1 })])),
  ]);
  expect(last.records[1]).toMatchObject({
    type: "tool-finished",
    callId: "c",
    outcome: {
      code: "tool.loop",
      content:
        "Not run: this is the same look call for the third time in a row, and its result would not change. Try something else, or say what stands in the way.",
    },
  });
});

test("a different call in between restarts the count", () => {
  check("xx", []);
  check("xxx", ["x2"]);
  check("xxxx", ["x2", "x3"]);
  check("xxyxx", []);
  check("xxyxxx", ["x5"]);
});

test("what a user asks for again is no loop", () => {
  const { journal } = play([...turn("t1"), ...turn("t2"), ...turn("t3")]);
  expect(refusals(journal)).toEqual([]);
});

const same = (step: number, count = 1) =>
  completes(
    `t1.s${step}`,
    callAnswer(Array.from({ length: count }, (_, at) => call(`s${step}c${at}`, "look", { path: "x" }))),
  );

const noticed = (step: number) => completes(`t1.s${step}`, callAnswer([x(step)]));
const x = (step: number) => call(`x${step}`, "look", { path: "x" });

test("after the third answer in a row that ended in a loop notice the turn ends, with a word of its own", () => {
  const looping = [
    ...asked,
    ...once(1, "a", call("a", "look", { path: "x" })),
    ...once(2, "b", call("b", "look", { path: "x" })),
  ];
  const second = play([...looping, same(3), same(4)]).last;
  expect(second.records.at(-1)).toMatchObject({ type: "step-started", stepId: "t1.s5" });
  // Many of them in one answer are one notice: the model has not seen the others yet.
  const { last } = play([...looping, same(3, 9), same(4), same(5)]);
  expect(refusals(last.records)).toEqual([["s5c0", "tool.loop"]]);
  expect(last.records.at(-1)).toMatchObject({
    type: "turn-ended",
    outcome: "loop-detected",
    message: "the model made the same call 13 times in a row",
    rolledBack: false,
  });
});

test("another call between two notices lets the turn continue", () => {
  const { last } = play([
    ...asked,
    ...[1, 2].flatMap((step) => once(step, `x${step}`, x(step))),
    noticed(3),
    noticed(4),
    ...once(5, "y", call("y", "look", { path: "y" })),
    ...[6, 7].flatMap((step) => once(step, `x${step}`, x(step))),
    noticed(8),
  ]);
  expect(last.records.at(-1)).toMatchObject({ type: "step-started", stepId: "t1.s9" });
});

function limited(limits: Partial<SessionConfig["limits"]>): SessionConfig {
  return sessionConfig({ limits });
}

test("a limit of one identical call refuses the first", () => {
  const { last } = play(
    [...asked, completes("t1.s1", callAnswer([call("a", "look")]))],
    limited({ maxIdenticalCalls: 1 }),
  );
  expect(refusals(last.records)).toEqual([["a", "tool.loop"]]);
});

const once = (step: number, id: string, args: ToolCallBlock) => [
  completes(`t1.s${step}`, callAnswer([args])),
  prepared(`t1.s${step}`, { [id]: action("look") }),
  ends(id),
];

const turn = (id: string) => [
  says(id),
  packed(id),
  completes(`${id}.s1`, callAnswer([call(`${id}c`, "look", { path: "x" })])),
  prepared(`${id}.s1`, { [`${id}c`]: action("look") }),
  ends(`${id}c`),
  completes(`${id}.s2`, textAnswer("there")),
];

const check = (tools: string, expected: readonly string[]): void => {
  const calls = tools.split("").map((path, index) => call(`${path}${index}`, "look", { path }));
  const { last } = play([...asked, completes("t1.s1", callAnswer(calls))]);
  expect(refusals(last.records)).toEqual(expected.map((id) => [id, "tool.loop"]));
};

import { conversationPage, snapshot } from "@capstan/session";
import { costOf, type Message, toTurnId, type Usage } from "@capstan/protocol";
import {
  action,
  call,
  callAnswer,
  completes,
  ends,
  fails,
  receives,
  packed,
  play,
  prepared,
  prints,
  says,
  sessionConfig,
  submit,
  testUsage,
  testWorkspace,
  textAnswer,
} from "@capstan/testkit";
import { expect, test } from "vitest";

const userSays = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
import { initialState } from "../../src/model/state.ts";

const asked = [says("t1"), packed("t1")];
const looking = [
  ...asked,
  completes("t1.s1", callAnswer([call("a", "look")])),
  prepared("t1.s1", { a: action("look") }),
];

test("file versions the model has seen are remembered by path, the latest counts", () => {
  const first = [
    { path: "/work/a", sha256: "1" },
    { path: "/work/b", sha256: "2" },
  ];
  const { state } = play([
    ...looking,
    ends("a", { observed: first }),
    completes("t1.s2", callAnswer([call("b", "look", { path: "b" })])),
    prepared("t1.s2", { b: action("look", { path: "b" }) }),
    ends("b", {
      observed: [
        { path: "/work/b", sha256: "3" },
        { path: "__proto__", sha256: "4" },
      ],
    }),
  ]);
  expect(Object.entries(state.knownFiles)).toEqual([
    ["/work/a", "1"],
    ["/work/b", "3"],
    ["__proto__", "4"],
  ]);
});

test("output of a running call is kept for late comers, its tail only", () => {
  const { state } = play([...looking, prints("a", "x".repeat(5000)), prints("a", "end")]);
  expect(state.operation).toMatchObject({ batch: { calls: [{ type: "running", output: `${"x".repeat(4093)}end` }] } });
  expect(play([...looking, ends("a"), prints("a", "late")]).last).toEqual({ records: [], effects: [] });
});

test.each<[string, Partial<Usage>, number]>([
  ["plain input and output", { inputTokens: 1_000_000, outputTokens: 1_000_000 }, 18],
  ["cached input", { inputTokens: 1_000_000, cachedInputTokens: 1_000_000 }, 0.3],
  ["written to the cache", { inputTokens: 1_000_000, cacheWriteTokens: 1_000_000 }, 3.75],
  ["a vendor that counts the cache apart", { inputTokens: 0, cachedInputTokens: 1_000_000 }, 0.3],
  ["reasoning is part of the output", { outputTokens: 1_000_000, reasoningTokens: 900_000 }, 15],
])("a step's cost: %s", (_case, usage, expected) => {
  const prices = { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 };
  const none = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  expect(costOf({ ...none, ...usage }, prices)).toBeCloseTo(expected, 10);
});

test("without a price of their own, cached tokens cost what input costs; without prices the cost is unknown", () => {
  expect(
    costOf({ ...testUsage, cachedInputTokens: 500, cacheWriteTokens: 500 }, sessionConfig().model.prices),
  ).toBeCloseTo(0.0045, 10);
  expect(costOf(testUsage, undefined)).toBeNull();
});

test("a prompt longer than a price step costs that step's prices as a whole", () => {
  const prices = {
    input: 2,
    output: 12,
    longPrompt: [{ aboveTokens: 200_000, input: 4, output: 18, cachedInput: 0.4 }],
  };
  const usage = { ...testUsage, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1_000_000 };
  expect(costOf({ ...usage, inputTokens: 200_000 }, prices)).toBeCloseTo(12.4, 10);
  expect(costOf({ ...usage, inputTokens: 250_000 }, prices)).toBeCloseTo(19, 10);
  expect(costOf({ ...usage, inputTokens: 250_000, cachedInputTokens: 250_000 }, prices)).toBeCloseTo(18.1, 10);
});

test("usage and cost add up over steps, failed turns included", () => {
  const { state } = play([
    ...asked,
    completes("t1.s1", textAnswer("no", { reason: "refusal" })),
    says("t2"),
    packed("t2"),
    completes("t2.s1", textAnswer("yes")),
  ]);
  expect(state.usage).toEqual({ ...testUsage, inputTokens: 2000, outputTokens: 200 });
  expect(state.costUsd).toBeCloseTo(0.009, 10);
});

test("a snapshot says what is happening in every state", () => {
  const compact = submit({ type: "compact" });
  const turns = ["a", "b", "c"].flatMap((id) => [says(id), packed(id), completes(`${id}.s1`, textAnswer(id))]);
  check([], { type: "idle" });
  check([says("t1")], { type: "preparing", turnId: "t1" });
  check(
    [
      ...asked,
      receives("t1.s1", [
        { type: "text-delta", delta: "So" },
        { type: "thinking-delta", delta: "hm" },
      ]),
    ],
    {
      type: "streaming",
      turnId: "t1",
      stepId: "t1.s1",
      text: "So",
      thinking: "hm",
    },
  );
  check([...asked, fails("t1.s1")], { type: "retrying", turnId: "t1", stepId: "t1.s1", attempt: 1 });
  check(looking, { type: "executing", turnId: "t1", running: ["a"] });
  check([...turns, compact], { type: "summarizing" });
});

test("a snapshot is whole but for what was said, and a journal without its first records has none", () => {
  const { state } = play([...asked, completes("t1.s1", textAnswer("hi"))]);
  expect(conversationPage(state, null, 10)).toEqual({
    messages: [userSays("words of t1"), textAnswer("hi").message],
    from: 0,
  });
  expect(conversationPage(state, 2, 1)).toEqual({ messages: [textAnswer("hi").message], from: 1 });
  expect(snapshot(state, 9)).toEqual({
    sessionId: "session",
    seq: 9,
    workspace: testWorkspace,
    config: sessionConfig(),
    activity: { type: "idle" },
    queued: [],
    steering: [],
    running: [],
    context: { tokens: 1100, windowTokens: 200_000 },
    pending: [],
    tasks: [],
    grants: [],
    turns: [{ turnId: "t1", changed: [] }],
    resumed: true,
    summaries: 0,
    canUnwind: false,
    proposals: [],
    usage: testUsage,
    costUsd: 0.0045,
    lastOutcome: "done",
  });
  expect(() => snapshot(initialState, 0)).toThrow("the journal lacks its first records");
});

test("answers of another vendor are kept apart by a word of the user", () => {
  const origin = { provider: "other", model: "m", wire: "openai-chat" };
  const paused = textAnswer("one", { reason: "pause" });
  const foreign = { ...textAnswer("two"), message: { ...textAnswer("two").message, origin } };
  const { effects } = play([
    ...asked,
    completes("t1.s1", paused),
    completes("t1.s2", foreign),
    says("t2"),
    packed("t2"),
  ]);
  const last = effects.at(-1);
  expect(last?.type === "call-model" ? last.request.messages : []).toEqual([
    userSays("words of t1"),
    paused.message,
    userSays("(continue)"),
    foreign.message,
    userSays("words of t2"),
  ]);
});

test("an answer that fails without words is still an answer that vendors accept", () => {
  const { state } = play([...looking, ends("a", { outcome: { type: "failed", code: "tool.failed", content: "" } })]);
  expect(state.conversation.at(-1)?.content).toMatchObject([{ content: "(no output)", isError: true }]);
});

test("a turn id is not a property name: any text will do", () => {
  const { last } = play([
    submit({ type: "user-input", turnId: toTurnId("__proto__"), content: [{ type: "text", text: "x" }] }),
  ]);
  expect(last.records).toMatchObject([{ type: "turn-started", turnId: "__proto__" }]);
});

const check = (stimuli: Parameters<typeof play>[0], expected: unknown): void =>
  expect(snapshot(play(stimuli).state, 7).activity).toEqual(expected);

import { expect, test } from "vitest";
import { cancels, completes, packed, play, restarts, says, sessionConfig, textAnswer } from "@capstan/testkit";
import { userSays, words } from "../words.ts";

test("with the facts collected the model is asked, and the facts stand before the words", () => {
  const config = sessionConfig();
  expect(play([says("t1", "hello"), packed("t1", { date: "It is Monday." })], config).last).toEqual({
    records: [
      { type: "context-packed", turnId: "t1", parts: [{ name: "date", text: "It is Monday." }] },
      { type: "step-started", stepId: "t1.s1", turnId: "t1", attempt: 1, model: "test/model-1" },
    ],
    effects: [
      {
        type: "call-model",
        stepId: "t1.s1",
        attempt: 1,
        model: config.model,
        request: {
          system: "You are being tested.",
          messages: [userSays("It is Monday.", "hello")],
          tools: config.tools,
          maxOutputTokens: 4096,
        },
      },
    ],
  });
});

test("a fact is reported once, and again when it changes", () => {
  const { journal, state } = play([
    ...wholeTurn("t1", { date: "Monday", branch: "main" }),
    ...wholeTurn("t2", { date: "Monday", branch: "main" }),
    ...wholeTurn("t3", { date: "Tuesday", branch: "main" }),
  ]);
  expect(journal.filter((record) => record.type === "context-packed").map((record) => record.parts)).toEqual([
    [
      { name: "date", text: "Monday" },
      { name: "branch", text: "main" },
    ],
    [{ name: "date", text: "Tuesday" }],
  ]);
  expect(state.conversation.filter((message) => message.role === "user")).toEqual([
    userSays("Monday\n\nmain", "t1"),
    userSays("t2"),
    userSays("Tuesday", "t3"),
  ]);
});

test("a fact without text is remembered and adds no empty text", () => {
  const { state } = play([says("t1", "hello"), packed("t1", { branch: "" })]);
  expect(state.conversation).toEqual([userSays("hello")]);
  expect(state.knownFacts).toEqual({ branch: "" });
});

test("facts named like an object's own members are reported once, too", () => {
  const { last } = play([says("t1"), facts("t1"), completes("t1.s1", textAnswer("ok")), says("t2"), facts("t2")]);
  expect(last.records.map((record) => record.type)).toEqual(["step-started"]);
});

test("facts of another turn change nothing", () => {
  expect(play([says("t1"), packed("t0", { date: "x" })]).last).toEqual({ records: [], effects: [] });
});

test("cancelled before the model was asked, the turn leaves no trace and gives the words back", () => {
  const { last, state } = play([says("t1", "hello"), cancels("terminated")]);
  expect(last).toEqual({
    records: [
      {
        type: "turn-ended",
        turnId: "t1",
        outcome: "terminated",
        message: "the process was asked to terminate",
        rolledBack: true,
        draft: words("hello"),
      },
    ],
    effects: [],
  });
  expect(state.conversation).toEqual([]);
});

test("after a restart the facts are collected again", () => {
  expect(play([says("t1"), restarts]).last).toEqual({
    records: [{ type: "session-recovered", found: "a turn whose model had not been asked yet" }],
    effects: [{ type: "pack-context", turnId: "t1" }],
  });
});

test("facts reported in a turn that was rolled back are reported again", () => {
  const { state } = play([
    says("t1"),
    packed("t1", { date: "Monday" }),
    cancels(),
    says("t2"),
    packed("t2", { date: "Monday" }),
  ]);
  expect(state.conversation).toEqual([userSays("Monday", "words of t2")]);
});

const wholeTurn = (id: string, facts: Readonly<Record<string, string>>) => [
  says(id, id),
  packed(id, facts),
  completes(`${id}.s1`, textAnswer(`answer ${id}`)),
];

const facts = (turn: string) =>
  packed(
    turn,
    Object.fromEntries([
      ["__proto__", "a"],
      ["constructor", "b"],
    ]),
  );

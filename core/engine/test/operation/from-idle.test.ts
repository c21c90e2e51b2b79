import { expect, test } from "vitest";
import { cancels, completes, ends, fires, packed, play, restarts, says, submit, textAnswer } from "@capstan/testkit";
import { toTurnId, type UserContent } from "@capstan/protocol";
import { words } from "../words.ts";

test("a user's words begin a turn, and the facts for the model are collected", () => {
  expect(play([says("t1", "hello")]).last).toEqual({
    records: [
      { type: "turn-started", turnId: "t1", content: words("hello"), origin: { frontend: "cli", user: "tester" } },
    ],
    effects: [{ type: "pack-context", turnId: "t1" }],
  });
});

test("the same turn sent twice begins once", () => {
  const done = [says("t1"), packed("t1"), completes("t1.s1", textAnswer("hi"))];
  for (const before of [[says("t1")], done]) {
    expect(play([...before, says("t1", "other words")]).last).toEqual({ records: [], effects: [] });
  }
});

test("words that say nothing are not sent, and whoever sent them learns why", () => {
  const cases: readonly (readonly UserContent[])[] = [
    [],
    [{ type: "text", text: "" }],
    [{ type: "text", text: " \n\t" }],
  ];
  for (const content of cases) {
    expect(play([submit({ type: "user-input", turnId: toTurnId("t1"), content })]).last).toMatchObject({
      records: [],
      effects: [],
      refusal: { code: "input.empty" },
    });
  }
});

test("an image without words is a message; blank text beside it is left out", () => {
  const image = { type: "media", mediaType: "image/png", data: "aGk=" } as const;
  const content: readonly UserContent[] = [{ type: "text", text: " " }, image];
  const { state } = play([submit({ type: "user-input", turnId: toTurnId("t1"), content })]);
  expect(state.conversation).toEqual([{ role: "user", content: [image] }]);
});

test("what people should know of tools that came or went is a record, also where this session's tools are the same", () => {
  const notice = { type: "notice", level: "warning", code: "mcp.changed", text: "look has changed" } as const;
  const changed = { type: "tools-changed", tools: null, notices: [notice] } as const;
  expect(play([changed]).last.records).toEqual([notice]);
  expect(play([says("t1"), changed]).last.records).toEqual([notice]);
  const { last } = play([says("t1"), { ...changed, tools: [] }]);
  expect(last.records).toMatchObject([{ type: "session-configured", config: { tools: [] } }, notice]);
});

test("an idle session is moved by nothing but words, settings and the request to compact", () => {
  const stimuli = [
    cancels(),
    restarts,
    fires("t1.deadline"),
    packed("t1"),
    completes("t1.s1", textAnswer("x")),
    ends("c"),
  ];
  for (const stimulus of stimuli) expect(play([stimulus]).last).toMatchObject({ records: [], effects: [] });
});

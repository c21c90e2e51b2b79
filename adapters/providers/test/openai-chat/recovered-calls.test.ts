import type { JsonObject } from "@capstan/protocol";
import { expect, test } from "vitest";
import { ask, type Asked, finishOf, type Received, joined, model, provide, simpleRequest } from "../fixtures/calls.ts";
import { calls, chunk, delta, done, finished } from "../fixtures/chat-streams.ts";
import { tool } from "../fixtures/conversations.ts";
import { cutEverywhere, expectDeltasToAddUp } from "../fixtures/cut-streams.ts";
import { serve, streaming } from "../fixtures/wire-server.ts";

const written = '```json\n{"name": "read_file", "arguments": {"path": "ü"}}\n```';
const stop = [finished("stop"), done];

function asking(options: JsonObject = { text_tool_calls: "auto" }, tools = [tool]): Asked {
  return { request: { ...simpleRequest, tools }, model: model(options) };
}

async function receive(asked: Asked, ...events: readonly string[]): Promise<Received> {
  const server = await serve(streaming(events.join("")));
  return ask(provide("openai-chat", server.url), asked);
}

test("a call written as text is a call like any other, and the user is notified", async () => {
  const received = await receive(asking(), delta({ content: "I look.\n" }), delta({ content: written }), ...stop);
  expect(finishOf(received)).toMatchObject({
    reason: "tool-calls",
    rawReason: "stop",
    message: {
      content: [
        { type: "text", text: "I look.\n" },
        {
          type: "tool-call",
          callId: "call_1",
          name: "read_file",
          arguments: { type: "json", value: { path: "ü" } },
        },
      ],
    },
  });
  expect(received.parts.filter((part) => part.type === "notice")).toEqual([
    {
      type: "notice",
      level: "info",
      code: "provider.recovered-call",
      text: "The model wrote a tool call as text, which was read as one: read_file.",
    },
  ]);
  expectDeltasToAddUp(received);
});

test("such an answer says the same wherever the network cuts it, and its deltas are the message", async () => {
  const events = [
    delta({ content: `<think>hm</think>So: ${written.slice(0, 30)}` }),
    delta({ content: written.slice(30) }),
  ];
  const asked = asking({ text_tool_calls: "auto", think_tags: "auto" });
  await cutEverywhere(
    "openai-chat",
    [...events, ...stop],
    (received, whole) => {
      expectDeltasToAddUp(received);
      expect([finishOf(received), joined(received.parts)]).toEqual([finishOf(whole), joined(whole.parts)]);
    },
    asked,
  );
  const fromStart = [delta({ content: `<think>hm</think>\n${written}` }), ...stop];
  await cutEverywhere(
    "openai-chat",
    fromStart,
    (received) => {
      expectDeltasToAddUp(received);
      expect(finishOf(received).message.content.map((block) => block.type)).toEqual(["thinking", "tool-call"]);
    },
    asked,
  );
});

test("text stays text where a call is not asked for, not offered, not whole, or not the only one", async () => {
  const said = delta({ content: written });
  const real = calls({ index: 0, id: "a", type: "function", function: { name: "read_file", arguments: "{}" } });
  await checkText("off", await receive(asking({}), said, ...stop), []);
  await checkText("no tools", await receive(asking({ text_tool_calls: "on" }, []), said, ...stop), []);
  await checkText("cut", await receive(asking(), said, finished("length"), done), []);
  await checkText("filtered", await receive(asking(), said, finished("content_filter"), done), []);
  await checkText("a real call", await receive(asking(), said, real, finished("tool_calls"), done), ["a"]);
  await checkText("a real call before", await receive(asking(), real, said, finished("stop"), done), ["a"]);
});

async function checkText(name: string, received: Received, ids: readonly string[]): Promise<void> {
  const { content } = finishOf(received).message;
  expect([name, content.find((block) => block.type === "text")]).toEqual([name, { type: "text", text: written }]);
  expect(content.flatMap((block) => (block.type === "tool-call" ? [block.callId] : []))).toEqual(ids);
  expect(received.parts.some((part) => part.type === "notice")).toBe(false);
  expectDeltasToAddUp(received);
}

test("a call in a whole document is found as well", async () => {
  const choice = { index: 0, message: { role: "assistant", content: written }, finish_reason: "stop" };
  const received = await receive(asking(), chunk({ choices: [choice] }), done);
  expect(finishOf(received).message.content.map((block) => block.type)).toEqual(["tool-call"]);
});

test("a line of a million signs that may begin a call is looked through once", async () => {
  const line = "`".repeat(1_000_000);
  expect(joined((await receive(asking(), delta({ content: line }), ...stop)).parts).text).toBe(line);
});

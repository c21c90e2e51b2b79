import {
  type Message,
  type ModelRequest,
  type ModelSettings,
  type ModelStreamPart,
  toToolCallId,
  userText,
} from "@capstan/protocol";
import { expect, test } from "vitest";
import { relayModel, relayProviderName } from "../src/index.ts";
import { callWords } from "../src/workspace/relay-model.ts";

const model: ModelSettings = {
  provider: relayProviderName,
  id: "tools",
  wire: relayModel.wire,
  contextWindowTokens: 100_000,
  maxOutputTokens: 1000,
  options: {},
};

async function answerTo(messages: readonly Message[]): Promise<readonly ModelStreamPart[]> {
  const request: ModelRequest = { system: "", messages, tools: [], maxOutputTokens: 1000 };
  const parts: ModelStreamPart[] = [];
  for await (const batch of relayModel.create().stream(request, model, new AbortController().signal))
    parts.push(...batch);
  return parts;
}

const asking: Message = {
  role: "user",
  content: [...userText("Date: today"), ...callWords("read_file", { path: "a" })],
};
const call = { type: "tool-call", name: "read_file", arguments: { type: "json", value: { path: "a" } } } as const;
const calling: Message = {
  role: "assistant",
  origin: { provider: relayProviderName, model: "tools", wire: relayModel.wire },
  content: [{ ...call, callId: toToolCallId("call_1") }],
};
const result: Message = {
  role: "user",
  content: [
    { type: "tool-result", callId: toToolCallId("call_1"), toolName: "read_file", content: "one", isError: false },
  ],
};

test("the words of a call are answered with exactly that call, beside whatever else stands there, also when asked again", async () => {
  for (const messages of [[asking], [asking], [asking, calling, result, asking]])
    expect((await answerTo(messages)).at(-1)).toMatchObject({
      type: "finish",
      reason: "tool-calls",
      message: { content: [call] },
    });
});

test("a result ends the turn, and so do words that are no call, one that is cut off among them", async () => {
  const cut: Message = { role: "user", content: userText('An MCP client calls a tool of the workspace:\n{"tool') };
  for (const messages of [
    [asking, calling, result],
    [{ role: "user", content: userText("hello") } as const],
    [cut],
    [],
  ])
    expect((await answerTo(messages)).at(-1)).toMatchObject({ type: "finish", reason: "stop" });
});

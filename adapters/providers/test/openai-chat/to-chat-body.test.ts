import { type AssistantBlock, isJsonObject, type JsonObject, type JsonValue, type Message } from "@capstan/protocol";
import * as fc from "fast-check";
import { runs } from "@capstan/testkit";
import { expect, test } from "vitest";
import { toChatBody } from "../../src/index.ts";
import { chatBodyText } from "../../src/openai-chat/to-chat-body.ts";
import { textOf } from "../../src/shared/json-fields.ts";
import { MessageCache } from "../../src/shared/request/message-cache.ts";
import {
  asking,
  assistant,
  call,
  conversation,
  foreign,
  own,
  ownChat,
  result,
  tool,
  user,
} from "../fixtures/conversations.ts";
import { model } from "../fixtures/calls.ts";

test("the whole of a request", () => {
  const request = asking(
    user("one", "two"),
    assistant(
      own,
      { type: "thinking", text: "hm", signature: "s" },
      "a",
      "b",
      call("i", "read_file", { path: "x" }),
      call("j"),
    ),
    user(
      result("i", "text"),
      result("j", "", true),
      "look",
      { type: "media", mediaType: "image/png", data: "aGk=" },
      { type: "media", mediaType: "application/pdf", data: "aGk=", name: "a.pdf" },
    ),
    assistant(foreign, call("k")),
    user(result("k", "r")),
  );
  expect(toChatBody(request, model())).toEqual({
    model: "model-1",
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 16_000,
    tools: [
      { type: "function", function: { name: "read_file", description: "Reads a file.", parameters: tool.inputSchema } },
    ],
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "one\n\ntwo" },
      {
        role: "assistant",
        content: "ab",
        tool_calls: [
          { id: "i", type: "function", function: { name: "read_file", arguments: '{"path":"x"}' } },
          { id: "j", type: "function", function: { name: "read_file", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "i", content: "text" },
      { role: "tool", tool_call_id: "j", content: "(empty)" },
      {
        role: "user",
        content: [
          { type: "text", text: "look" },
          { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
          { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,aGk=" } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "k", type: "function", function: { name: "read_file", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "k", content: "r" },
    ],
  });
});

test("options and dialects", () => {
  const usage = { stream_options: { include_usage: true } };
  checkOptions({}, "openai-chat", { ...usage, max_completion_tokens: 16_000 });
  checkOptions({}, "vllm", { ...usage, max_tokens: 16_000 });
  checkOptions({ max_tokens_field: "max_completion_tokens", stream_usage: false }, "vllm", {
    max_completion_tokens: 16_000,
  });
  checkOptions({ reasoning_effort: "high", verbosity: "low" }, "vllm", {
    ...usage,
    max_tokens: 16_000,
    reasoning_effort: "high",
    verbosity: "low",
  });
  const parameters = {
    type: "object",
    properties: { path: { type: ["string", "null"] } },
    required: ["path"],
    additionalProperties: false,
  };
  const strict = {
    type: "function",
    function: { name: "read_file", description: "Reads a file.", parameters, strict: true },
  };
  checkOptions({ strict_tools: true }, "vllm", { ...usage, max_tokens: 16_000, tools: [strict] });
  checkOptions({ tool_choice: "required", parallel_tool_calls: false }, "vllm", {
    ...usage,
    max_tokens: 16_000,
    tool_choice: "required",
    parallel_tool_calls: false,
  });
  const body = { temperature: 0.2, max_tokens: 7, messages: [], model: "x", tools: [], stream: false };
  checkOptions({ body }, "vllm", { ...usage, temperature: 0.2, max_tokens: 7 });
  expect(messagesOf(toChatBody(asking(user("q")), model({ system_role: "developer" })))[0]).toEqual({
    role: "developer",
    content: "Be brief.",
  });
});

function checkOptions(options: JsonObject, provider: string, expected: JsonObject): void {
  const {
    messages: _messages,
    model: _model,
    stream: _stream,
    tools,
    ...rest
  } = toChatBody(asking(user("q")), model(options, { provider }));
  expect({ ...rest, ...(options["strict_tools"] === undefined ? {} : { tools }) }).toEqual(expected);
}

test("thinking goes back only where the server wants it, and only its own", () => {
  const thinking: AssistantBlock = { type: "thinking", text: "hm" };
  const echo = { echo_reasoning_field: "reasoning_content" };
  checkEcho({}, assistant(ownChat, thinking, "a"), { role: "assistant", content: "a" });
  checkEcho(echo, assistant(ownChat, thinking, "a"), { role: "assistant", content: "a", reasoning_content: "hm" });
  checkEcho(echo, assistant(own, thinking, "a"), { role: "assistant", content: "a" });
  checkEcho(echo, assistant(foreign, thinking), { role: "assistant", content: "(empty)" });
});

function checkEcho(options: JsonObject, message: Message, expected: JsonObject): void {
  expect(messagesOf(toChatBody(asking(user("q"), message, user("r")), model(options)))[2]).toEqual(expected);
}

test("a server that wants thinking back with calls gets the field with every call, and with nothing else", () => {
  const thinking: AssistantBlock = { type: "thinking", text: "hm" };
  const echo = { echo_reasoning_field: "reasoning_content", echo_reasoning: "tool-calls" };
  const tool_calls = [{ id: "i", type: "function", function: { name: "read_file", arguments: "{}" } }];
  const called = { role: "assistant", content: null, tool_calls };
  checkEchoOfCall(echo, assistant(ownChat, thinking, call("i")), { ...called, reasoning_content: "hm" });
  checkEchoOfCall(echo, assistant(ownChat, call("i")), { ...called, reasoning_content: "" });
  checkEchoOfCall(echo, assistant(foreign, thinking, call("i")), { ...called, reasoning_content: "" });
  checkEchoOfCall({}, assistant(ownChat, thinking, call("i")), called);
  checkEcho(echo, assistant(ownChat, thinking, "a"), { role: "assistant", content: "a" });
});

function checkEchoOfCall(options: JsonObject, message: Message, expected: JsonObject): void {
  const request = asking(user("q"), message, user(result("i", "r")));
  expect(messagesOf(toChatBody(request, model(options)))[2]).toEqual(expected);
}

test("what a vendor signed goes back to that vendor alone", () => {
  const details = [{ type: "reasoning.encrypted", data: "x", id: "r1", index: 0 }];
  const item: AssistantBlock = {
    type: "provider-item",
    item: { type: "reasoning_details", reasoning_details: details },
  };
  const signed: AssistantBlock = { ...call("i"), signature: "sig" };
  const vertex: AssistantBlock = { ...call("i"), signature: '{"vertex":{"thought_signature":"v"}}' };
  const plainCall = { id: "i", type: "function", function: { name: "read_file", arguments: "{}" } };
  const called = { role: "assistant", content: null, tool_calls: [plainCall] };
  const withExtra = (extra_content: JsonObject): JsonObject => ({
    ...called,
    tool_calls: [{ ...plainCall, extra_content }],
  });
  checkEchoOfCall({}, assistant(ownChat, item, call("i")), { ...called, reasoning_details: details });
  checkEchoOfCall({ echo_reasoning_details: false }, assistant(ownChat, item, call("i")), called);
  checkEchoOfCall({}, assistant({ ...ownChat, model: "model-2" }, item, call("i")), called);
  checkEchoOfCall({}, assistant(foreign, item, signed), called);
  checkEchoOfCall({}, assistant(ownChat, signed), withExtra({ google: { thought_signature: "sig" } }));
  checkEchoOfCall({}, assistant(ownChat, vertex), withExtra({ vertex: { thought_signature: "v" } }));
});

test("ids that OpenAI refuses are replaced, in call and result alike", () => {
  const long = "toolu_".padEnd(41, "x");
  const messages = messagesOf(
    toChatBody(
      asking(
        user("q"),
        assistant(own, call(long), call("ok-1"), call("a b")),
        user(result(long, "1"), result("ok-1", "2"), result("a b", "3")),
      ),
      model(),
    ),
  );
  const calls = listOf(messages[2]?.["tool_calls"]).map((item) => item["id"]);
  expect(calls).toEqual([
    expect.stringMatching(/^call_[0-9a-f]{32}$/),
    "ok-1",
    expect.stringMatching(/^call_[0-9a-f]{32}$/),
  ]);
  expect(messages.slice(3).map((message) => message["tool_call_id"])).toEqual(calls);
});

test("where nine letters and digits are demanded, every other id is replaced, in call and result alike", () => {
  const request = asking(
    user("q"),
    assistant(own, call("call_1"), call("D681PevKs")),
    user(result("call_1", "1"), result("D681PevKs", "2")),
  );
  const messages = messagesOf(toChatBody(request, model({ call_ids: "mistral" })));
  const calls = listOf(messages[2]?.["tool_calls"]).map((item) => item["id"]);
  expect(calls).toEqual([expect.stringMatching(/^[0-9a-f]{9}$/), "D681PevKs"]);
  expect(messages.slice(3).map((message) => message["tool_call_id"])).toEqual(calls);
});

test("any conversation has a body the servers accept, and its JSON is the same body", () => {
  const cache = new MessageCache();
  fc.assert(
    fc.property(conversation, (request) => {
      const body = toChatBody(request, model());
      expect(JSON.parse(chatBodyText(request, model(), cache))).toEqual(body);
      expect(JSON.parse(chatBodyText(request, model(), cache))).toEqual(body);
      expect(offences(body)).toEqual([]);
    }),
    { numRuns: runs(400) },
  );
});

/** What the servers would refuse. */
function offences(body: JsonObject): readonly string[] {
  const found: string[] = [];
  if (/(?<!\\)(\\\\)*\\ud[89a-f]/.test(JSON.stringify(body))) found.push("lone surrogate");
  let open: JsonValue[] = [];
  for (const message of messagesOf(body)) {
    const { role, content } = message;
    if (role === "tool") {
      if (message["tool_call_id"] !== open.shift()) found.push("a result without its call");
    } else if (open.length > 0) found.push("a call without its result");
    const calls = listOf(message["tool_calls"]);
    if (role === "assistant") open = calls.map((item) => item["id"] ?? "");
    if (typeof content === "string" ? content.trim() === "" : content === null && calls.length === 0)
      found.push("empty content");
    if (open.some((id) => !/^[\w-]{1,40}$/.test(textOf(id)))) found.push("id");
  }
  if (open.length > 0) found.push("a call without its result");
  return found;
}

function messagesOf(body: JsonObject): readonly JsonObject[] {
  return listOf(body["messages"]);
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((item: unknown) => isJsonObject(item)) : [];
}

import { type JsonObject, messageOf } from "@capstan/protocol";
import { expect, test } from "vitest";
import { anthropicStreams, block, callBlock, event, start, stop, textBlock } from "../fixtures/anthropic-streams.ts";
import { failureOf, finishOf, type Received, joined, listen, messageOfFailure, provide } from "../fixtures/calls.ts";
import { cutEverywhere, expectDeltasToAddUp } from "../fixtures/cut-streams.ts";
import { replying, serve, streaming } from "../fixtures/wire-server.ts";

async function receive(...pieces: readonly (string | Uint8Array)[]): Promise<Received> {
  const server = await serve(streaming(...pieces));
  return listen(provide("anthropic", server.url));
}

const cutOff = { code: "provider.stream", provider: "test", retryable: true, requestId: "req_stream" };
const outOfOrder = { code: "provider.protocol", provider: "test", retryable: true, requestId: "req_stream" };

test("a stream cut after any event is a retryable failure, never an answer", async () => {
  const events = anthropicStreams["thinking, text and parallel calls"] ?? [];
  for (let kept = 0; kept < events.length; kept += 1) {
    const received = await receive(events.slice(0, kept).join(""));
    expect(failureOf(received), `after ${kept} events`).toEqual(cutOff);
    expect(received.parts.some((part) => part.type === "finish")).toBe(false);
  }
});

test("a stream cut in the middle of an event is a cut, not a confused server", async () => {
  const whole = (anthropicStreams["plain text"] ?? []).join("");
  expect(failureOf(await receive(whole.slice(0, whole.indexOf("message_stop") - 60)))).toEqual(cutOff);
});

test("the last blank line may be missing", async () => {
  const whole = (anthropicStreams["plain text"] ?? []).join("").trimEnd();
  expect(finishOf(await receive(whole)).reason).toBe("stop");
});

test.each([
  ["\r\n", "CRLF"],
  ["\r", "CR only"],
])("line ends %j and a byte order mark change nothing", async (lineEnd) => {
  const whole = (anthropicStreams["plain text"] ?? []).join("");
  const expected = finishOf(await receive(whole));
  const text = `\ufeff: a comment\n\n${whole}`.replaceAll("\n", lineEnd);
  expect(finishOf(await receive(text))).toEqual(expected);
  expect(finishOf(await receive(...Array.from(text.match(/[^]{1,37}/gu) ?? [])))).toEqual(expected);
});

test("events that are repeated or out of order are refused", async () => {
  const text = textBlock(0, "a");
  const [begin = "", delta = "", end = ""] = text;
  const broken: Readonly<Record<string, readonly string[]>> = {
    "two starts that differ": [start(), start({ input_tokens: 11, output_tokens: 1 })],
    "block before start": [begin],
    "delta before its block": [start(), delta],
    "block started twice": [start(), begin, begin],
    "block ended twice": [start(), begin, end, end],
    "block started again": [start(), ...text, begin],
    "blocks in falling order": [start(), ...textBlock(1, "a"), ...textBlock(0, "b")],
    "end inside a block": [start(), begin, ...stop("end_turn")],
    "end without a reason": [start(), ...text, event("message_stop")],
    "end without a start": [event("message_stop")],
    "a delta of another type": [
      start(),
      begin,
      event("content_block_delta", { index: 0, delta: { type: "input_json_delta", partial_json: "{}" } }),
    ],
    "no index": [start(), event("content_block_start", { content_block: { type: "text", text: "" } })],
    "not JSON": [start(), "data: {nonsense\n\n", ...stop("end_turn")],
  };
  for (const [name, events] of Object.entries(broken)) {
    expect(failureOf(await receive(events.join(""))), `case ${name}`).toEqual(outOfOrder);
  }
});

test("a start that is sent once more, word for word, is received once, wherever it stands and is cut", async () => {
  const usage = { input_tokens: 10, output_tokens: 1 };
  const [begin, ...rest] = [start(usage), ...textBlock(0, "Hel", "lo"), ...stop("end_turn")];
  const expected = finishOf(await receive(begin, ...rest));
  for (let place = 0; place < rest.length; place += 1) {
    const again = [begin, ...rest.slice(0, place), begin, ...rest.slice(place)];
    expect(finishOf(await receive(again.join(""))), `after ${place}`).toEqual(expected);
  }
  await cutEverywhere("anthropic", [begin, begin, ...rest], (received) => {
    expect(finishOf(received)).toEqual(expected);
    expectDeltasToAddUp(received);
  });
});

test("what follows the end counts for nothing", async () => {
  const received = await receive(
    [start(), ...textBlock(0, "a"), ...stop("end_turn"), ...stop("end_turn"), "data: {x\n\n"].join(""),
  );
  expect(finishOf(received).reason).toBe("stop");
});

test("unknown events, deltas and blocks are kept, never fatal", async () => {
  const received = await receive(
    [
      start(),
      event("brand_new", { value: 1 }),
      event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
      event("content_block_delta", { index: 0, delta: { type: "sparkle_delta", sparkle: 1 } }),
      event("content_block_stop", { index: 0 }),
      ...block(
        1,
        { type: "compaction", content: null },
        { type: "compaction_delta", content: "sum" },
        { type: "compaction_delta", content: "mary" },
      ),
      ...textBlock(2, "done"),
      ...stop("end_turn"),
    ].join(""),
  );
  expect(received.parts.slice(0, 2)).toEqual([
    { type: "unknown", what: "brand_new", raw: { type: "brand_new", value: 1 } },
    {
      type: "unknown",
      what: "sparkle_delta",
      raw: { type: "content_block_delta", index: 0, delta: { type: "sparkle_delta", sparkle: 1 } },
    },
  ]);
  expect(finishOf(received).message.content).toEqual([
    { type: "provider-item", item: { type: "compaction", content: "summary" } },
    { type: "text", text: "done" },
  ]);
});

test("a proof or a citation that belongs to no block of its kind is kept for people, never fatal", async () => {
  const signature = { type: "signature_delta", signature: "c2ln" };
  const citation = { type: "citations_delta", citation: { type: "char_location" } };
  const text = [{ type: "text_delta", text: "a" }, signature];
  const received = await receive(
    [
      start(),
      ...block(0, { type: "text", text: "" }, ...text),
      ...block(1, { type: "thinking", thinking: "hm" }, citation),
      ...textBlock(2, "b"),
      ...stop("end_turn"),
    ].join(""),
  );
  expect(received.parts.flatMap((part) => (part.type === "unknown" ? [part.what] : []))).toEqual([
    "signature_delta",
    "citations_delta",
  ]);
  expect(finishOf(received).message.content).toEqual([
    { type: "text", text: "a" },
    { type: "thinking", text: "hm" },
    { type: "text", text: "b" },
  ]);
});

test("the input of a vendor's own tool that was cut off is shown to people, and the answer counts", async () => {
  const received = await receive(
    [
      start(),
      ...textBlock(0, "I search."),
      ...block(
        1,
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
        { type: "input_json_delta", partial_json: '{"query": "cap' },
      ),
      ...stop("max_tokens"),
    ].join(""),
  );
  const { message, reason } = finishOf(received);
  expect([message.content, reason]).toEqual([
    [
      { type: "text", text: "I search." },
      { type: "provider-item", item: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} } },
    ],
    "length",
  ]);
  expect(received.parts).toContainEqual({ type: "unknown", what: "server_tool_use input", raw: '{"query": "cap' });
});

test("a refusal says why, in the vendor's words", async () => {
  const details = { type: "refusal", category: "cyber", explanation: "Blocked under a policy." };
  const received = await receive(
    [
      start(),
      event("message_delta", { delta: { stop_reason: "refusal", stop_details: details } }),
      event("message_stop"),
    ].join(""),
  );
  const { message, reason, rawReason } = finishOf(received);
  expect([message.content, reason, rawReason]).toEqual([[], "refusal", "refusal: Blocked under a policy."]);
  expect(received.parts).toContainEqual({
    type: "notice",
    level: "warning",
    code: "provider.declined",
    text: "The vendor declined to answer: Blocked under a policy.",
  });
});

test("a call keeps what the vendor marked it with", async () => {
  const caller = { type: "code_execution_20260120", tool_id: "srvtoolu_1" };
  const use = { type: "tool_use", id: "a", name: "t", input: {} };
  const received = await receive(
    [
      start(),
      ...block(0, { ...use, caller, toolset_name: "files" }),
      ...block(1, { ...use, id: "b", caller: { type: "direct" }, toolset_name: null }),
      ...stop("tool_use"),
    ].join(""),
  );
  const json = { type: "json", value: {} };
  expect(finishOf(received).message.content).toEqual([
    {
      type: "tool-call",
      callId: "a",
      name: "t",
      arguments: json,
      signature: JSON.stringify({ caller, toolset_name: "files" }),
    },
    { type: "tool-call", callId: "b", name: "t", arguments: json },
  ]);
});

test("an error event after visible text ends the call with what the vendor said", async () => {
  for (const type of ["overloaded_error", "api_error", "rate_limit_error", "timeout_error"]) {
    await checkReported({ type, message: "Oh" }, { code: "provider.stream", vendorCode: type, retryable: true });
  }
  await checkReported(
    { type: "invalid_request_error", message: "Oh" },
    { code: "provider.stream", vendorCode: "invalid_request_error", retryable: false },
  );
  await checkReported(
    { type: "authentication_error", message: "Oh" },
    { code: "provider.auth", vendorCode: "authentication_error", retryable: false, hint: "Set TEST_API_KEY." },
  );
});

async function checkReported(error: JsonObject, expected: JsonObject): Promise<void> {
  const received = await receive(
    [start(), ...textBlock(0, "seen"), event("error", { error, request_id: "req_1" })].join(""),
  );
  expect(joined(received.parts).text).toBe("seen");
  expect(failureOf(received)).toEqual({ provider: "test", requestId: "req_1", ...expected });
  expect(messageOfFailure(received)).toContain("Oh");
}

test("arguments of calls: empty, given whole, malformed, no object, too deep", async () => {
  const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
  const received = await receive(
    [
      start(),
      ...callBlock(0, "a", "t"),
      ...block(1, { type: "tool_use", id: "b", name: "t", input: { x: "ü" } }),
      ...callBlock(2, "c", "t", '{"x": '),
      ...callBlock(3, "d", "t", "[1]"),
      ...callBlock(4, "e", "t", '{"x": 1} trailing'),
      ...callBlock(5, "f", "t", deep),
      ...callBlock(6, "", "t", "null"),
      ...stop("end_turn"),
    ].join(""),
  );
  const finish = finishOf(received);
  expect(
    finish.message.content.map((item) => (item.type === "tool-call" ? [item.callId, item.arguments] : item)),
  ).toEqual([
    ["a", { type: "json", value: {} }],
    ["b", { type: "json", value: { x: "ü" } }],
    ["c", { type: "malformed", text: '{"x": ', problem: problemOf('{"x": ') }],
    ["d", { type: "malformed", text: "[1]", problem: "an object was expected, not an array" }],
    ["e", { type: "malformed", text: '{"x": 1} trailing', problem: problemOf('{"x": 1} trailing') }],
    ["f", { type: "malformed", text: deep.slice(0, 16_384), problem: "nested deeper than 200 levels" }],
    ["call_1", { type: "json", value: {} }],
  ]);
  expect([finish.reason, finish.rawReason]).toEqual(["tool-calls", "end_turn"]);
  expect(joined(received.parts).calls[1]).toBe('{"x":"ü"}');
});

test("finish reasons", async () => {
  await checkReason("end_turn", false, ["stop", undefined]);
  await checkReason("end_turn", true, ["tool-calls", "end_turn"]);
  await checkReason("tool_use", true, ["tool-calls", undefined]);
  await checkReason("tool_use", false, ["stop", "tool_use"]);
  await checkReason("max_tokens", true, ["length", undefined]);
  await checkReason("model_context_window_exceeded", false, ["length", "model_context_window_exceeded"]);
  await checkReason("pause_turn", false, ["pause", undefined]);
  await checkReason("refusal", false, ["refusal", undefined]);
  await checkReason("compaction", false, ["pause", "compaction"]);
  await checkReason("new_reason", false, ["other", "new_reason"]);
});

async function checkReason(word: string, hasCalls: boolean, expected: readonly unknown[]): Promise<void> {
  const finish = finishOf(
    await receive([start(), ...(hasCalls ? callBlock(0, "a", "t") : textBlock(0, "x")), ...stop(word)].join("")),
  );
  expect([finish.reason, finish.rawReason], `case ${word}`).toEqual(expected);
}

test("usage counts what was read from and written to the cache as input", async () => {
  const finish = finishOf(
    await receive(
      [
        start({ input_tokens: 3, cache_read_input_tokens: 1000, cache_creation_input_tokens: 50, output_tokens: 1 }),
        ...textBlock(0, "x"),
        ...stop("end_turn", { output_tokens: 9, output_tokens_details: { thinking_tokens: 4 } }),
      ].join(""),
    ),
  );
  expect(finish.usage).toEqual({
    inputTokens: 1053,
    cachedInputTokens: 1000,
    cacheWriteTokens: 50,
    outputTokens: 9,
    reasoningTokens: 4,
  });
});

test("invalid UTF-8 and lone surrogates become replacement characters; halves of one character meet", async () => {
  const [begin = "", , end = ""] = textBlock(0, "");
  const bad = Buffer.concat([
    Buffer.from(
      start() + begin + 'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a',
    ),
    Buffer.from([0xff]),
    Buffer.from(
      '\\ud83d"}}\n\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\\ude00 \\udc00 \\ud800"}}\n\n',
    ),
    Buffer.from(end + stop("end_turn").join("")),
  ]);
  const received = await receive(bad);
  expect(finishOf(received).message.content).toEqual([{ type: "text", text: "a\ufffd😀 \ufffd \ufffd" }]);
  expect(joined(received.parts).text).toBe("a\ufffd😀 \ufffd \ufffd");
});

test("a ten megabyte argument in one event arrives whole", async () => {
  const content = "x".repeat(10 * 1024 * 1024);
  const finish = finishOf(
    await receive([start(), ...callBlock(0, "a", "write", JSON.stringify({ content })), ...stop("tool_use")].join("")),
  );
  const [call] = finish.message.content;
  const value = call?.type === "tool-call" && call.arguments.type === "json" ? call.arguments.value["content"] : "";
  expect(value === content).toBe(true);
});

test("a whole message in one document is accepted; any other body is refused", async () => {
  const document = {
    id: "msg_9",
    type: "message",
    role: "assistant",
    content: [
      { type: "text", text: "hi" },
      { type: "tool_use", id: "t1", name: "go", input: { a: 1 } },
    ],
    stop_reason: "tool_use",
    usage: { input_tokens: 1, output_tokens: 2 },
  };
  const json = { "content-type": "application/json" };
  const server = await serve(replying(200, json, JSON.stringify(document)));
  const finish = finishOf(await listen(provide("anthropic", server.url)));
  expect([finish.reason, finish.responseId, finish.message.content]).toEqual([
    "tool-calls",
    "msg_9",
    [
      { type: "text", text: "hi" },
      { type: "tool-call", callId: "t1", name: "go", arguments: { type: "json", value: { a: 1 } } },
    ],
  ]);
  for (const [type, body] of [
    ["text/html", "<html>hello</html>"],
    ["application/json", "{}"],
    ["application/json", "{"],
    ["text/plain", "data: {}"],
  ]) {
    const other = await serve(replying(200, { "content-type": type ?? "" }, body ?? ""));
    expect(failureOf(await listen(provide("anthropic", other.url))), `body ${body}`).toEqual({
      code: "provider.protocol",
      provider: "test",
      retryable: false,
    });
  }
});

function problemOf(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    return messageOf(error);
  }
}

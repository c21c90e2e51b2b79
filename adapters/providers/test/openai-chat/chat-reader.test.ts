import type { JsonObject, JsonValue } from "@capstan/protocol";
import { expect, test } from "vitest";
import { calls, chatStreams, chunk, delta, done, finished } from "../fixtures/chat-streams.ts";
import { failureOf, finishOf, type Received, joined, listen, provide } from "../fixtures/calls.ts";
import { replying, serve, streaming } from "../fixtures/wire-server.ts";

async function receive(...pieces: readonly string[]): Promise<Received> {
  const server = await serve(streaming(pieces.join("")));
  return listen(provide("openai-chat", server.url));
}

const cutOff = { code: "provider.stream", provider: "test", retryable: true, requestId: "req_stream" };

test("a stream that ends without a finish reason is a retryable failure", async () => {
  const events = chatStreams["parallel calls with fragmented arguments"] ?? [];
  const end = events.indexOf(finished("tool_calls"));
  for (let kept = 0; kept <= end; kept += 1) {
    expect(failureOf(await receive(...events.slice(0, kept))), `after ${kept}`).toEqual(cutOff);
    expect(failureOf(await receive(...events.slice(0, kept), done)), `after ${kept}, done`).toEqual(cutOff);
  }
  expect(finishOf(await receive(...events.slice(0, end + 1))).reason).toBe("tool-calls");
});

type Calls = readonly (readonly [string, string, JsonValue | string])[];

async function checkCalls(name: string, pieces: readonly string[], expected: Calls): Promise<void> {
  const received = await receive(...pieces, finished("stop"), done);
  const finish = finishOf(received);
  const found = finish.message.content.flatMap((block) =>
    block.type === "tool-call"
      ? [[block.callId, block.name, block.arguments.type === "json" ? block.arguments.value : block.arguments.text]]
      : [],
  );
  expect(found, `case ${name}`).toEqual(expected);
  expect([finish.reason, finish.rawReason], `case ${name}`).toEqual(["tool-calls", "stop"]);
}

const fn = (name: string | undefined, args?: JsonValue): JsonObject => ({
  function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
});

test("calls are distinguished however a server numbers and names them", async () => {
  await checkCalls(
    "no index, whole calls",
    [calls({ id: "a", ...fn("f", '{"x":1}') }, { id: "b", ...fn("f", '{"x":2}') })],
    [
      ["a", "f", { x: 1 }],
      ["b", "f", { x: 2 }],
    ],
  );
  await checkCalls(
    "no index, fragments",
    [calls({ id: "a", ...fn("f", '{"x"') }), calls(fn(undefined, ":1}"))],
    [["a", "f", { x: 1 }]],
  );
  await checkCalls(
    "no index, several calls in fragments",
    [
      calls({ id: "a", ...fn("f", "") }, { id: "b", ...fn("g", "") }),
      calls(fn(undefined, '{"x"'), fn(undefined, '{"y"')),
      calls(fn(undefined, ":1}"), fn(undefined, ":2}")),
    ],
    [
      ["a", "f", { x: 1 }],
      ["b", "g", { y: 2 }],
    ],
  );
  await checkCalls(
    "no index, no id",
    [calls(fn("f", '{"x":1}')), calls(fn("f", '{"x":2}')), calls(fn("g", "{}"))],
    [
      ["call_1", "f", { x: 1 }],
      ["call_2", "f", { x: 2 }],
      ["call_3", "g", {}],
    ],
  );
  await checkCalls(
    "always index 0, own ids",
    [
      calls({ index: 0, id: "a", ...fn("f", '{"x":1}') }),
      calls({ index: 0, id: "b", ...fn("g", '{"x"') }),
      calls({ index: 0, ...fn(undefined, ":2}") }),
    ],
    [
      ["a", "f", { x: 1 }],
      ["b", "g", { x: 2 }],
    ],
  );
  await checkCalls(
    "always index 0, no ids",
    [calls({ index: 0, ...fn("f", '{"x":1}') }), calls({ index: 0, ...fn("f", '{"x":2}') })],
    [
      ["call_1", "f", { x: 1 }],
      ["call_2", "f", { x: 2 }],
    ],
  );
  await checkCalls(
    "gaps",
    [calls({ index: 3, id: "a", ...fn("f", "{}") }), calls({ index: 7, id: "b", ...fn("g", "{}") })],
    [
      ["a", "f", {}],
      ["b", "g", {}],
    ],
  );
  await checkCalls(
    "id and name in every fragment",
    [
      calls({ index: 0, id: "a", ...fn("f", "{") }),
      calls({ index: 0, id: "a", ...fn("f", '"x":1') }),
      calls({ index: 0, id: "a", ...fn("f", "}") }),
      calls({ index: 0, id: "a", ...fn("f", "") }),
    ],
    [["a", "f", { x: 1 }]],
  );
  await checkCalls(
    "another id in every fragment",
    [calls({ index: 0, id: "a", ...fn("f", "{") }), calls({ index: 0, id: "b", ...fn(undefined, "}") })],
    [["a", "f", {}]],
  );
  await checkCalls(
    "name in pieces",
    [
      calls({ index: 0, id: "a", ...fn("get_") }),
      calls({ index: 0, ...fn("weather") }),
      calls({ index: 0, ...fn(undefined, "{}") }),
    ],
    [["a", "get_weather", {}]],
  );
  await checkCalls(
    "name growing",
    [calls({ index: 0, id: "a", ...fn("get_") }), calls({ index: 0, ...fn("get_weather", "{}") })],
    [["a", "get_weather", {}]],
  );
  await checkCalls(
    "arguments as an object",
    [calls({ index: 0, id: "a", ...fn("f", { x: { y: 1 } }) })],
    [["a", "f", { x: { y: 1 } }]],
  );
  await checkCalls(
    "a call repeated whole",
    [calls({ index: 0, id: "a", ...fn("f", '{"x":1}') }), calls({ index: 0, id: "a", ...fn("f", '{"x":1}') })],
    [["a", "f", { x: 1 }]],
  );
  await checkCalls(
    "one id for two calls",
    [calls({ index: 0, id: "a", ...fn("f", "{}") }), calls({ index: 1, id: "a", ...fn("g", "{}") })],
    [
      ["a", "f", {}],
      ["a", "g", {}],
    ],
  );
  await checkCalls(
    "minted ids avoid given ones",
    [calls({ index: 0, ...fn("f", "{}") }), calls({ index: 1, id: "call_1", ...fn("g", "{}") })],
    [
      ["call_2", "f", {}],
      ["call_1", "g", {}],
    ],
  );
  await checkCalls(
    "legacy",
    [delta({ function_call: { name: "f", arguments: '{"x"' } }), delta({ function_call: { arguments: ":1}" } })],
    [["call_1", "f", { x: 1 }]],
  );
  await checkCalls(
    "none and malformed",
    [calls({ index: 0, id: "a", ...fn("f", "") }), calls({ index: 1, id: "b", ...fn("f", "{x") })],
    [
      ["a", "f", {}],
      ["b", "f", "{x"],
    ],
  );
});

test("text, thinking and refusals in the forms servers use", async () => {
  await checkContent([{ reasoning_content: "hm " }, { reasoning_content: "so" }, { content: "yes" }], "yes", "hm so");
  await checkContent([{ reasoning: "hm", reasoning_details: [] }, { content: "yes" }], "yes", "hm");
  await checkContent(
    [
      {
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
    ],
    "ab",
    "",
  );
  await checkContent(
    [{ content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] }, { content: "a" }],
    "a",
    "hm",
  );
  await checkContent([{ content: "\ud83d" }, { content: "\ude00" }], "😀", "");
  await checkContent([{}], "", "");
});

async function checkContent(deltas: readonly JsonObject[], text: string, thinking: string): Promise<void> {
  const received = await receive(...deltas.map((item) => delta(item)), finished("stop"), done);
  expect({ ...joined(received.parts), calls: [] }).toEqual({ text, thinking, calls: [] });
  expect(finishOf(received).message.content).toEqual([
    ...(thinking === "" ? [] : [{ type: "thinking", text: thinking }]),
    ...(text === "" ? [] : [{ type: "text", text }]),
  ]);
}

test("finish reasons, also those of compatible servers", async () => {
  await checkReason("stop", ["stop", undefined]);
  await checkReason("eos", ["stop", "eos"]);
  await checkReason("STOP", ["stop", "STOP"]);
  await checkReason("length", ["length", undefined]);
  await checkReason("content_filter", ["content-filter", undefined]);
  await checkReason("tool_calls", ["stop", "tool_calls"]);
  await checkReason("something", ["other", "something"]);
  const refusal = finishOf(await receive(delta({ refusal: "No." }), finished("stop"), done));
  expect([refusal.reason, refusal.message.content]).toEqual(["refusal", [{ type: "text", text: "No." }]]);
});

async function checkReason(word: string, expected: readonly unknown[]): Promise<void> {
  const finish = finishOf(await receive(delta({ content: "x" }), finished(word), done));
  expect([finish.reason, finish.rawReason], `case ${word}`).toEqual(expected);
}

test("only the first choice is the answer; chunks without choices are kept or ignored", async () => {
  const received = await receive(
    chunk({ choices: [], prompt_filter_results: [{ prompt_index: 0 }] }),
    chunk({
      choices: [
        { index: 1, delta: { content: "other" }, finish_reason: null },
        { index: 0, delta: { content: "mine" }, finish_reason: null },
      ],
    }),
    chunk({ object: "vendor.note" }),
    ": a comment\n\n",
    chunk({ choices: [{ index: 1, delta: {}, finish_reason: "length" }] }),
    finished("stop"),
    chunk({ choices: [], usage: null }),
    done,
  );
  expect(finishOf(received).message.content).toEqual([{ type: "text", text: "mine" }]);
  expect(received.parts.filter((part) => part.type === "unknown").map((part) => part.what)).toEqual(["vendor.note"]);
});

test("usage is taken from the last report, wherever the server puts it", async () => {
  const usage = { prompt_tokens: 7, completion_tokens: 5 };
  const expected = { inputTokens: 7, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 5, reasoningTokens: 0 };
  const early = chunk({
    choices: [{ index: 0, delta: { content: "x" } }],
    usage: { prompt_tokens: 7, completion_tokens: 1 },
  });
  for (const last of [
    chunk({ choices: [], usage }),
    chunk({ x_groq: { usage }, choices: [] }),
    chunk({ choices: [{ index: 0, delta: {}, usage }] }),
  ]) {
    expect(finishOf(await receive(early, finished("stop"), last, done)).usage).toEqual(expected);
  }
});

/** Input, read from the cache, written to it, output, reasoning. */
async function usageOf(usage: JsonObject): Promise<readonly number[]> {
  const received = await receive(delta({ content: "x" }), finished("stop"), chunk({ choices: [], usage }), done);
  const reported = finishOf(received).usage;
  return [
    reported.inputTokens,
    reported.cachedInputTokens,
    reported.cacheWriteTokens,
    reported.outputTokens,
    reported.reasoningTokens,
  ];
}

test("usage is understood under the names that servers give it", async () => {
  const counts = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  const thought = { completion_tokens_details: { reasoning_tokens: 30 } };
  // xAI counts thinking beside the rest, everybody else within.
  expect(await usageOf({ ...counts, ...thought, total_tokens: 140 })).toEqual([100, 0, 0, 40, 30]);
  expect(await usageOf({ ...counts, ...thought, completion_tokens: 40, total_tokens: 140 })).toEqual([
    100, 0, 0, 40, 30,
  ]);
  expect(await usageOf({ ...counts, ...thought })).toEqual([100, 0, 0, 10, 10]);
  expect(await usageOf({ ...counts, reasoning_tokens: 4 })).toEqual([100, 0, 0, 10, 4]);
  for (const cached of [
    { cached_tokens: 80 },
    { prompt_cache_hit_tokens: 80, prompt_cache_miss_tokens: 20 },
    { num_cached_tokens: 80 },
    { prompt_token_details: { cached_tokens: 80 } },
  ]) {
    expect(await usageOf({ ...counts, ...cached })).toEqual([100, 80, 0, 10, 0]);
  }
  for (const name of ["cache_write_tokens", "cache_creation_input_tokens", "cache_creation_tokens"]) {
    const usage = { ...counts, prompt_tokens_details: { cached_tokens: 20, [name]: 70 } };
    expect(await usageOf(usage)).toEqual([100, 20, 70, 10, 0]);
  }
});

test("an error in mid-stream ends the call; whether it may be tried again depends on what it says", async () => {
  await checkReported(errorEvent({ message: "m", type: "server_error", code: null }), {
    vendorCode: "server_error",
    retryable: true,
  });
  await checkReported(errorEvent({ message: "m", code: 502 }), { vendorCode: "502", retryable: true });
  await checkReported(errorEvent({ message: "m", code: 400 }), { vendorCode: "400", retryable: false });
  await checkReported(errorEvent({ message: "m", code: "rate_limit_exceeded" }), {
    vendorCode: "rate_limit_exceeded",
    retryable: true,
  });
  await checkReported(errorEvent({ message: "m", type: "invalid_request_error" }), {
    vendorCode: "invalid_request_error",
    retryable: false,
  });
  await checkReported(errorEvent({ message: "m", type: "invalid_request_error", code: "tool_use_failed" }), {
    vendorCode: "tool_use_failed",
    retryable: true,
  });
  await checkReported(errorEvent("plain words"), { retryable: true });
  await checkReported('event: error\ndata: {"message":"gone"}\n\n', { retryable: true });
  await checkReported('data: {"object":"error","message":"gone","code":500}\n\n', {
    vendorCode: "500",
    retryable: true,
  });
  await checkReported(finished("error"), { retryable: true });
});

async function checkReported(event: string, expected: JsonObject): Promise<void> {
  const received = await receive(delta({ content: "seen" }), event);
  expect(joined(received.parts).text).toBe("seen");
  expect(failureOf(received)).toEqual({
    code: "provider.stream",
    provider: "test",
    requestId: "req_stream",
    ...expected,
  });
}

function errorEvent(fields: JsonValue): string {
  return `data: ${JSON.stringify({ error: fields })}\n\n`;
}

test("a whole completion in one document is accepted", async () => {
  const body = JSON.stringify({
    id: "c1",
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: "hi",
          tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }],
        },
        finish_reason: "tool_calls",
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 2 },
  });
  const server = await serve(replying(200, { "content-type": "application/json; charset=utf-8" }, body));
  const finish = finishOf(await listen(provide("openai-chat", server.url)));
  expect([finish.reason, finish.message.content.length, finish.usage.outputTokens]).toEqual(["tool-calls", 2, 2]);
});

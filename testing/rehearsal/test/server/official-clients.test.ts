import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterEach, expect, test } from "vitest";
import { parseScenario, type Rehearsal, signThinking, startRehearsal } from "@capstan/rehearsal";

let running: Rehearsal | undefined;
afterEach(() => running?.close());

const thinking = "Zuerst prüfen: 漢字 🧵";
const text = 'Größe "12" \\ — 漢字 🧵\n```js\nx\n```\u2028';
const query = { path: "src/ö.js", list: [1, { deep: "🧵" }], none: null };
const usage = { input: 100, output: 20, cached: 30, cache_write: 10, reasoning: 5 };
const turn = {
  thinking,
  text,
  tool_calls: [
    { name: "read_file", arguments: query },
    { name: "search", arguments: {} },
  ],
  usage,
};
const sizes = [
  { chunk_bytes: 1, piece_bytes: 1 },
  { chunk_bytes: 3, piece_bytes: 5 },
  { chunk_bytes: 7, piece_bytes: 1000 },
  { piece_bytes: 2 },
];

async function rehearse(turns: readonly object[]): Promise<Rehearsal> {
  running = await startRehearsal({ scenario: parseScenario(JSON.stringify({ name: "sdk", turns }), "sdk.json") });
  return running;
}

function anthropic({ url }: Rehearsal): Anthropic {
  return new Anthropic({ apiKey: "k", baseURL: url, maxRetries: 0 });
}

function openai({ url }: Rehearsal): OpenAI {
  return new OpenAI({ apiKey: "k", baseURL: `${url}/v1`, maxRetries: 0 });
}

const ask = { model: "claude-x", max_tokens: 100, messages: [{ role: "user" as const, content: "hi" }] };

test("what Anthropic's client gathers from a stream cut at odd places is the scenario", async () => {
  const server = await rehearse(sizes.map((size) => ({ ...turn, ...size })));
  for (const index of sizes.keys()) {
    const message = await anthropic(server).messages.stream(ask).finalMessage();
    expect(message).toMatchObject({
      role: "assistant",
      model: "claude-x",
      stop_reason: "tool_use",
      usage: { input_tokens: 60, cache_read_input_tokens: 30, cache_creation_input_tokens: 10, output_tokens: 20 },
    });
    expect(message.content).toEqual([
      { type: "thinking", thinking, signature: signThinking(thinking) },
      { type: "text", text },
      { type: "tool_use", id: id("toolu", 2 * index + 1), name: "read_file", input: query },
      { type: "tool_use", id: id("toolu", 2 * index + 2), name: "search", input: {} },
    ]);
  }
  expect(server.unused()).toBe(0);
});

test("a message that is not streamed says the same", async () => {
  const server = await rehearse([turn, turn]);
  const message = await anthropic(server).messages.create(ask);
  expect(message.content).toEqual([
    { type: "thinking", thinking, signature: signThinking(thinking) },
    { type: "text", text, citations: null },
    { type: "tool_use", id: id("toolu", 1), name: "read_file", input: query },
    { type: "tool_use", id: id("toolu", 2), name: "search", input: {} },
  ]);
  const completion = await openai(server).chat.completions.create({ model: "gpt-x", messages: ask.messages });
  expect(completion).toMatchObject({
    model: "gpt-x",
    choices: [{ message: chatMessage(2), finish_reason: "tool_calls" }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  });
});

test("what OpenAI's client gathers from a stream cut at odd places is the scenario", async () => {
  const server = await rehearse(sizes.map((size) => ({ ...turn, ...size })));
  for (const index of sizes.keys()) {
    const stream = openai(server).chat.completions.stream({
      model: "gpt-x",
      messages: ask.messages,
      stream_options: { include_usage: true },
    });
    const completion = await stream.finalChatCompletion();
    expect(completion).toMatchObject({
      choices: [{ message: chatMessage(2 * index), finish_reason: "tool_calls" }],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 30 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
    });
  }
});

test("every way to finish has each vendor's word", async () => {
  await checkFinish("stop", "end_turn", "stop");
  await checkFinish("tool-calls", "tool_use", "tool_calls");
  await checkFinish("length", "max_tokens", "length");
  await checkFinish("content-filter", "refusal", "content_filter");
  await checkFinish("refusal", "refusal", "stop");
  await checkFinish("pause", "pause_turn", "stop");
});

test("refusals reach the clients as the errors they know", async () => {
  const server = await rehearse([turn]);
  const blank = { ...ask, messages: [{ role: "user" as const, content: " " }] };
  await expect(anthropic(server).messages.create(blank)).rejects.toMatchObject({
    status: 400,
    requestID: "req_rehearsal_0001",
    error: { type: "error", error: { type: "invalid_request_error" } },
  });
  await expect(
    openai(server).chat.completions.create({ model: "m", messages: [], stream: true }),
  ).rejects.toMatchObject({ status: 400, requestID: "req_rehearsal_0002", param: "messages", code: "invalid_value" });
  expect(server.unused()).toBe(1);
});

test("an error event in mid-stream reaches the clients as an error", async () => {
  const fault = { type: "error-event", after_bytes: 900, times: 1 };
  const server = await rehearse([
    { ...turn, fault },
    { ...turn, fault },
  ]);
  await expect(anthropic(server).messages.stream(ask).finalMessage()).rejects.toThrow(/overloaded_error/);
  await anthropic(server).messages.stream(ask).finalMessage();
  const stream = openai(server).chat.completions.stream({ model: "m", messages: ask.messages });
  await expect(stream.finalChatCompletion()).rejects.toThrow(/mid-stream/);
});

test("both clients can list models", async () => {
  const server = await rehearse([turn]);
  expect((await anthropic(server).models.list()).data.map((model) => model.id)).toEqual(["rehearsal"]);
  expect((await openai(server).models.list()).data.map((model) => model.id)).toEqual(["rehearsal"]);
});

function id(prefix: string, number: number): string {
  return `${prefix}_rehearsal_${String(number).padStart(2, "0")}`;
}

function chatMessage(callsBefore: number): object {
  return {
    role: "assistant",
    content: text,
    tool_calls: [
      {
        id: id("call", callsBefore + 1),
        type: "function",
        function: { name: "read_file", arguments: JSON.stringify(query) },
      },
      { id: id("call", callsBefore + 2), type: "function", function: { name: "search", arguments: "{}" } },
    ],
  };
}

async function checkFinish(finish: string, stopReason: string, finishReason: string): Promise<void> {
  const server = await rehearse([
    { text: "a", finish },
    { text: "a", finish },
  ]);
  const message = await anthropic(server).messages.create(ask);
  const completion = await openai(server).chat.completions.create({ model: "m", messages: ask.messages });
  await server.close();
  expect([message.stop_reason, completion.choices[0]?.finish_reason]).toEqual([stopReason, finishReason]);
}

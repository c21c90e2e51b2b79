import type { AssistantBlock, JsonObject, JsonValue } from "@capstan/protocol";
import { expect, test } from "vitest";
import { toChatBody } from "../../src/index.ts";
import { listOf, objectOf } from "../../src/shared/json-fields.ts";
import { ask, finishOf, model, provide } from "../fixtures/calls.ts";
import { chunk, delta, done, finished } from "../fixtures/chat-streams.ts";
import { asking, result, tool, user } from "../fixtures/conversations.ts";
import { expectDeltasToAddUp } from "../fixtures/cut-streams.ts";
import { serve, streaming } from "../fixtures/wire-server.ts";

interface Exchanged {
  readonly content: readonly AssistantBlock[];
  readonly reason: string;
  /** The same answer as the next request brings it back. */
  readonly sentBack: JsonObject;
}

/** One answer of a server, and how it goes back to the server. */
async function exchange(options: JsonObject, ...events: readonly string[]): Promise<Exchanged> {
  const server = await serve(streaming(...events));
  const settings = model(options);
  const received = await ask(provide("openai-chat", server.url), { request: asking(user("q")), model: settings });
  expectDeltasToAddUp(received);
  const { message, reason } = finishOf(received);
  const ids = message.content.flatMap((block) => (block.type === "tool-call" ? [block.callId] : []));
  const next = asking(user("q"), message, user(...ids.map((id) => result(id, "r")), "continue"));
  const sentBack = objectOf(listOf(toChatBody(next, settings)["messages"])[2]) ?? {};
  return { content: message.content, reason, sentBack };
}

const readA: JsonObject = { name: tool.name, arguments: '{"path":"a"}' };
const calledA = { type: "tool-call", name: "read_file", arguments: { type: "json", value: { path: "a" } } };

function called(entry: JsonObject, fields: JsonObject = {}): string {
  return delta({ role: "assistant", content: "", ...fields, tool_calls: [{ type: "function", ...entry }] });
}

test("Ollama: thinking in `reasoning`, whole calls under index 0, and `stop` at their end", async () => {
  const { content, reason } = await exchange(
    {},
    delta({ role: "assistant", content: "", reasoning: "hm" }),
    called({ index: 0, id: "call_x", function: readA }),
    called({ index: 0, id: "call_y", function: readA }),
    finished("stop"),
    done,
  );
  expect([reason, content]).toMatchObject(["tool-calls", [{ type: "thinking", text: "hm" }, calledA, calledA]]);
});

test("LM Studio and llama.cpp: `reasoning_content`, arguments in fragments", async () => {
  const { content, sentBack } = await exchange(
    {},
    delta({ role: "assistant", content: null, reasoning_content: "h" }),
    delta({ reasoning_content: "m" }),
    called({ index: 0, id: "1", function: { name: "read_file", arguments: "" } }),
    delta({ tool_calls: [{ index: 0, function: { arguments: '{"path":' } }] }),
    delta({ tool_calls: [{ index: 0, function: { arguments: '"a"}' } }] }),
    finished("tool_calls"),
    done,
  );
  expect(content).toMatchObject([{ type: "thinking", text: "hm" }, calledA]);
  expect(Object.keys(sentBack)).toEqual(["role", "content", "tool_calls"]);
});

test("vLLM: both names of the field in one delta are one text", async () => {
  const { content } = await exchange(
    {},
    delta({ reasoning: "hm", reasoning_content: "hm" }),
    delta({ content: "yes" }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop", stop_reason: null }] }),
    done,
  );
  expect(content).toEqual([
    { type: "thinking", text: "hm" },
    { type: "text", text: "yes" },
  ]);
});

test("OpenRouter: comments are skipped, and details of reasoning go back as they came, in one piece", async () => {
  const anthropic = { type: "reasoning.text", format: "anthropic-claude-v1", index: 0 };
  const sealed = { type: "reasoning.encrypted", data: "b64", id: "rs_1", format: "openai-responses-v1", index: 1 };
  const { content, sentBack } = await exchange(
    {},
    ": OPENROUTER PROCESSING\n\n",
    delta({ role: "assistant", content: "", reasoning: "h", reasoning_details: [{ ...anthropic, text: "h" }] }),
    delta({ content: "", reasoning: "m", reasoning_details: [{ ...anthropic, text: "m" }] }),
    delta({ content: "", reasoning_details: [{ ...anthropic, signature: "sig" }] }),
    delta({ content: "", reasoning_details: [sealed] }),
    called({ index: 0, id: "1", function: readA }),
    finished("tool_calls"),
    done,
  );
  const details: JsonValue = [{ ...anthropic, text: "hm", signature: "sig" }, sealed];
  expect(content).toMatchObject([
    { type: "thinking", text: "hm" },
    { type: "provider-item", item: { type: "reasoning_details", reasoning_details: details } },
    calledA,
  ]);
  expect(sentBack["reasoning_details"]).toEqual(details);
});

test("OpenRouter: summaries of several parts stay apart", async () => {
  const { content, sentBack } = await exchange(
    {},
    delta({ reasoning_details: [part(0, "a")] }),
    delta({ reasoning_details: [part(0, "b"), part(1, "c")] }),
    delta({ content: "yes" }),
    finished("stop"),
    done,
  );
  expect(content[0]).toEqual({ type: "thinking", text: "abc" });
  expect(sentBack["reasoning_details"]).toEqual([part(0, "ab"), part(1, "c")]);
});

function part(index: number, summary: string): JsonObject {
  return { type: "reasoning.summary", summary, index };
}

test("Perplexity: each source once, in the order the numbers in the text mean", async () => {
  const beside = {
    citations: ["https://a.test/", "https://b.test/"],
    search_results: [
      { title: "C", url: "https://c.test/" },
      { title: "B", url: "https://b.test/", date: "2026-01-02" },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
  const say = (content: string, whole: string): string =>
    chunk({ ...beside, choices: [{ index: 0, delta: { content }, message: { role: "assistant", content: whole } }] });
  const end = { index: 0, delta: { content: "" }, message: { content: "yes[2]" }, finish_reason: "stop" };
  const last = chunk({ ...beside, object: "chat.completion.done", choices: [end] });
  const { content } = await exchange({}, say("yes", "yes"), say("[2]", "yes[2]"), last);
  const citations = [
    { type: "url_citation", url: "https://a.test/" },
    { type: "search_result", title: "B", url: "https://b.test/", date: "2026-01-02" },
    { type: "search_result", title: "C", url: "https://c.test/" },
  ];
  expect(content).toEqual([{ type: "text", text: "yes[2]", citations }]);
});

test("xAI: sources at the end, and between pieces of text", async () => {
  const citations = ["https://a.test/"];
  const last = chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }], citations });
  const sourced = { type: "text", citations: [{ type: "url_citation", url: "https://a.test/" }] };
  const atEnd = await exchange({}, delta({ content: "y" }), delta({ content: "es" }), last, done);
  expect(atEnd.content).toEqual([{ ...sourced, text: "yes" }]);
  const pieces = ["a", "b", "c"].map((content) => delta({ content }));
  const within = chunk({ choices: [{ index: 0, delta: { content: "d" }, finish_reason: null }], citations });
  const between = await exchange({}, ...pieces, within, delta({ content: "e" }), finished("stop"), done);
  expect(between.content).toEqual([{ ...sourced, text: "abcde" }]);
});

test("Groq: what a search of its own found", async () => {
  const search = { index: 0, type: "search", arguments: '{"query":"q"}' };
  const results = [{ title: "A", url: "https://a.test/", content: "c", score: 0.9 }];
  const { content } = await exchange(
    {},
    delta({ role: "assistant", executed_tools: [search] }),
    delta({ executed_tools: [{ ...search, output: "o", search_results: { results } }] }),
    delta({ content: "yes" }),
    finished("stop"),
    done,
  );
  expect(content).toEqual([{ type: "text", text: "yes", citations: [{ type: "search_result", ...results[0] }] }]);
});

test("OpenRouter: an annotation that is said twice is one source", async () => {
  const annotations = [{ type: "url_citation", url_citation: { url: "https://a.test/", title: "A" } }];
  const named = delta({ content: "", annotations });
  const { content } = await exchange({}, delta({ content: "yes" }), named, named, finished("stop"), done);
  expect(content).toEqual([{ type: "text", text: "yes", citations: annotations }]);
});

test("Groq: `reasoning`, and usage under `x_groq`", async () => {
  const { content } = await exchange(
    {},
    delta({ role: "assistant", reasoning: "hm", channel: "analysis" }),
    delta({ content: "yes" }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }], x_groq: { usage: { prompt_tokens: 1 } } }),
    done,
  );
  expect(content.map((block) => block.type)).toEqual(["thinking", "text"]);
});

test("DeepSeek and Kimi: thinking goes back with calls, and with nothing else", async () => {
  const options = { echo_reasoning_field: "reasoning_content", echo_reasoning: "tool-calls" };
  const thinking = delta({ role: "assistant", content: null, reasoning_content: "hm" });
  const answered = await exchange(options, thinking, delta({ content: "yes" }), finished("stop"), done);
  expect(answered.sentBack).toEqual({ role: "assistant", content: "yes" });
  const withCall = called({ index: 0, id: "1", function: readA });
  const calling = await exchange(options, thinking, withCall, finished("tool_calls"), done);
  expect(calling.sentBack).toMatchObject({ content: null, reasoning_content: "hm", tool_calls: [{ id: "1" }] });
  const unthinking = await exchange(options, withCall, finished("tool_calls"), done);
  expect(unthinking.sentBack).toMatchObject({ reasoning_content: "" });
});

test("Mistral: thinking as a part of the content", async () => {
  const { content } = await exchange(
    {},
    delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] }),
    delta({ content: [{ type: "text", text: "ye" }] }),
    delta({ content: "s" }),
    finished("stop"),
    done,
  );
  expect(content).toEqual([
    { type: "thinking", text: "hm" },
    { type: "text", text: "yes" },
  ]);
});

test("Mistral and xAI: whole calls without an index", async () => {
  const { content } = await exchange(
    {},
    called({ id: "D681PevKs", function: readA }, { reasoning_content: "hm" }),
    finished("tool_calls"),
    done,
  );
  expect(content).toMatchObject([
    { type: "thinking", text: "hm" },
    { ...calledA, callId: "D681PevKs" },
  ]);
});

test("Together and Fireworks: `eos`, and thinking left in the content", async () => {
  const { content, sentBack } = await exchange(
    { think_tags: "auto" },
    delta({ content: "<think>\nhm" }),
    delta({ content: "</think>\n\nyes" }),
    finished("eos"),
    done,
  );
  expect(content).toEqual([
    { type: "thinking", text: "hm" },
    { type: "text", text: "yes" },
  ]);
  expect(sentBack).toEqual({ role: "assistant", content: "yes" });
});

test("GLM: `reasoning_content`, and a call in tags where the server does not read it", async () => {
  const { content } = await exchange(
    { text_tool_calls: "auto" },
    delta({ reasoning_content: "hm" }),
    delta({ content: "\n<tool_call>read_file\n<arg_key>path</arg_key>\n" }),
    delta({ content: "<arg_value>a</arg_value>\n</tool_call>" }),
    finished("stop"),
    done,
  );
  expect(content).toMatchObject([{ type: "thinking", text: "hm" }, calledA]);
});

test("MiniMax: thinking in tags, or in details that go back", async () => {
  const tagged = await exchange(
    { think_tags: "auto" },
    delta({ content: "<think>hm</think>yes" }),
    finished("stop"),
    done,
  );
  expect(tagged.content).toMatchObject([{ type: "thinking" }, { type: "text", text: "yes" }]);
  const detail = { type: "reasoning.text", id: "reasoning-text-1", format: "MiniMax-response-v1", index: 0 };
  const split = await exchange(
    {},
    delta({ reasoning_details: [{ ...detail, text: "h" }] }),
    delta({ reasoning_details: [{ ...detail, text: "m" }], content: "yes" }),
    finished("stop"),
    done,
  );
  expect(split.sentBack).toEqual({
    role: "assistant",
    content: "yes",
    reasoning_details: [{ ...detail, text: "hm" }],
  });
});

test("Gemini's compatible endpoint: calls without an index, whose signature goes back with them", async () => {
  const google = { google: { thought_signature: "sig" } };
  const { content, sentBack } = await exchange(
    {},
    called({ id: "function-call-1", extra_content: google, function: readA }),
    called({ id: "function-call-2", function: readA }),
    finished("stop"),
    done,
  );
  expect(content).toMatchObject([{ ...calledA, signature: "sig" }, calledA]);
  expect(listOf(sentBack["tool_calls"]).map((call) => objectOf(call)?.["extra_content"])).toEqual([google, undefined]);
  const vertex = { vertex: { thought_signature: "sig" } };
  const other = await exchange({}, called({ id: "1", extra_content: vertex, function: readA }), finished("stop"), done);
  expect(other.sentBack).toMatchObject({ tool_calls: [{ extra_content: vertex }] });
});

test("Azure: filter results before and between", async () => {
  const { content } = await exchange(
    {},
    chunk({ choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] }),
    chunk({ choices: [{ index: 0, delta: { content: "yes" }, content_filter_results: {}, finish_reason: null }] }),
    chunk({ choices: [{ index: 0, delta: {}, content_filter_offsets: {}, finish_reason: "stop" }] }),
    done,
  );
  expect(content).toEqual([{ type: "text", text: "yes" }]);
});

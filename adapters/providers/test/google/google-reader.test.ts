import type { JsonObject } from "@capstan/protocol";
import { expect, test } from "vitest";
import { failureOf, finishOf, type Received, joined, listen, messageOfFailure, provide } from "../fixtures/calls.ts";
import { textOf } from "../../src/shared/json-fields.ts";
import { call, chunk, ending, googleStreams, parts } from "../fixtures/google-streams.ts";
import { replying, serve, streaming } from "../fixtures/wire-server.ts";

async function receive(...pieces: readonly (string | Uint8Array)[]): Promise<Received> {
  const server = await serve(streaming(...pieces));
  return listen(provide("google", server.url));
}

async function answered(status: number, body: string, type = "application/json"): Promise<Received> {
  const server = await serve(replying(status, { "content-type": type }, body));
  return listen(provide("google", server.url));
}

const cutOff = { code: "provider.stream", provider: "test", retryable: true, requestId: "req_stream" };

test("a stream without its last chunk is a retryable failure, never an answer", async () => {
  const chunks = googleStreams["thoughts, text and parallel calls"] ?? [];
  for (let kept = 0; kept < chunks.length; kept += 1) {
    const received = await receive(chunks.slice(0, kept).join(""));
    expect(failureOf(received), `after ${kept} chunks`).toEqual(cutOff);
    expect(received.parts.some((part) => part.type === "finish")).toBe(false);
  }
});

test("parts of the chunk that ends the answer count, and so does what follows it", async () => {
  const received = await receive(
    ending("STOP", [{ text: "a" }, call("go", { x: 1 })]),
    parts({ text: "", thoughtSignature: "c2ln" }),
    chunk({ usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 2 } }),
  );
  const { message, reason, rawReason, usage } = finishOf(received);
  expect({ content: message.content, reason, rawReason, input: usage.inputTokens }).toEqual({
    content: [
      { type: "text", text: "a" },
      { type: "tool-call", callId: "call_1", name: "go", arguments: { type: "json", value: { x: 1 } } },
      { type: "provider-item", item: { text: "", thoughtSignature: "c2ln" } },
    ],
    reason: "tool-calls",
    rawReason: undefined,
    input: 7,
  });
});

test("signatures stay on the part they came with", async () => {
  const received = await receive(
    parts({ text: "a", thought: true }, { text: "", thought: true, thoughtSignature: "dDE=" }),
    parts({ text: "b" }, { text: "c", thoughtSignature: "dDI=" }, { text: "d" }, { text: "e" }),
    parts({ thoughtSignature: "dDM=" }),
    ending("STOP", [call("one", {}, { thoughtSignature: "dDQ=" }), call("two", {})]),
  );
  expect(finishOf(received).message.content).toEqual([
    { type: "thinking", text: "a" },
    { type: "thinking", text: "", signature: "dDE=" },
    { type: "text", text: "b" },
    { type: "text", text: "c", signature: "dDI=" },
    { type: "text", text: "de" },
    { type: "provider-item", item: { text: "", thoughtSignature: "dDM=" } },
    { type: "tool-call", callId: "call_1", name: "one", arguments: { type: "json", value: {} }, signature: "dDQ=" },
    { type: "tool-call", callId: "call_2", name: "two", arguments: { type: "json", value: {} } },
  ]);
  expect(joined(received.parts)).toEqual({ text: "bcde", thinking: "a", calls: ["{}", "{}"] });
});

test("finish reasons", async () => {
  await checkReason("STOP", {}, ["stop", undefined]);
  await checkReason("MAX_TOKENS", {}, ["length", undefined]);
  await checkReason("CONTINUATION", {}, ["length", "CONTINUATION"]);
  for (const word of [
    "SAFETY",
    "RECITATION",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "LANGUAGE",
    "IMAGE_SAFETY",
    "MODEL_ARMOR",
  ]) {
    await checkReason(word, {}, ["content-filter", word]);
  }
  await checkReason("SAFETY", { finishMessage: "Not this." }, ["content-filter", "SAFETY: Not this."]);
  await checkReason("OTHER", {}, ["other", "OTHER"]);
  await checkReason("BRAND_NEW", {}, ["other", "BRAND_NEW"]);
});

async function checkReason(word: string, more: JsonObject, expected: readonly unknown[]): Promise<void> {
  const { reason, rawReason } = finishOf(await receive(parts({ text: "x" }), ending(word, [], more)));
  expect([reason, rawReason], `case ${word}`).toEqual(expected);
}

test("a call the vendor could not read is worth another try", async () => {
  for (const word of ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"]) {
    const received = await receive(
      parts({ text: "Let me" }),
      ending(word, [], { finishMessage: "print(default_api.go)" }),
    );
    expect(failureOf(received)).toEqual({
      code: "provider.protocol",
      provider: "test",
      retryable: true,
      requestId: "req_stream",
    });
    expect(messageOfFailure(received)).toBe(
      `test: the model wrote a call that is none: ${word}: print(default_api.go)`,
    );
  }
});

test("a blocked prompt is a filtered answer in the vendor's words", async () => {
  const feedback = { blockReason: "PROHIBITED_CONTENT", blockReasonMessage: "Not that." };
  const received = await receive(chunk({ promptFeedback: feedback, usageMetadata: { promptTokenCount: 9 } }));
  const { message, reason, rawReason, usage } = finishOf(received);
  expect([message.content, reason, rawReason, usage.inputTokens]).toEqual([
    [],
    "content-filter",
    "PROHIBITED_CONTENT: Not that.",
    9,
  ]);
});

test("usage sums what the wire counts apart", async () => {
  const usageMetadata = {
    promptTokenCount: 1000,
    cachedContentTokenCount: 800,
    toolUsePromptTokenCount: 50,
    candidatesTokenCount: 20,
    thoughtsTokenCount: 30,
    totalTokenCount: 1100,
  };
  const received = await receive(parts({ text: "x" }), ending("STOP"), chunk({ usageMetadata }));
  expect(finishOf(received).usage).toEqual({
    inputTokens: 1050,
    cachedInputTokens: 800,
    cacheWriteTokens: 0,
    outputTokens: 50,
    reasoningTokens: 30,
  });
});

test("of several candidates only the first is the answer", async () => {
  const candidates = [
    { content: { parts: [{ text: "second" }] }, finishReason: "SAFETY", index: 1 },
    { content: { parts: [{ text: "first" }] }, finishReason: "STOP", index: 0 },
  ];
  const { message, reason } = finishOf(await receive(chunk({ candidates })));
  expect([message.content, reason]).toEqual([[{ type: "text", text: "first" }], "stop"]);
});

test("no source is lost to a later report", async () => {
  const [a, b] = [{ web: { uri: "https://a.test", title: "A" } }, { web: { uri: "https://b.test", title: "B" } }];
  const received = await receive(
    candidate("One", { groundingMetadata: { webSearchQueries: ["q"] } }),
    candidate(", two", { groundingMetadata: { groundingChunks: [a] } }),
    candidate(", three", { groundingMetadata: { groundingChunks: [a], groundingSupports: [{}] } }),
    ending("STOP", [{ text: "." }], { groundingMetadata: { groundingChunks: [b] } }),
  );
  const first = { webSearchQueries: ["q"], groundingChunks: [a], groundingSupports: [{}] };
  expect(finishOf(received).message.content).toEqual([
    {
      type: "text",
      text: "One, two, three.",
      citations: [
        { type: "groundingMetadata", ...first },
        { type: "groundingMetadata", groundingChunks: [b] },
      ],
    },
  ]);
});

test("sources are kept with the text they belong to", async () => {
  const source = { startIndex: 0, endIndex: 4, uri: "https://a.test", license: "" };
  const received = await receive(
    candidate("Cited", { citationMetadata: { citationSources: [source] }, ...grounding({}) }),
    candidate(".", {
      citationMetadata: { citationSources: [source] },
      ...grounding({ groundingChunks: [{ web: {} }] }),
    }),
    ending("STOP", [], { urlContextMetadata: { urlMetadata: [{ retrievedUrl: "https://b.test" }] } }),
  );
  expect(finishOf(received).message.content).toEqual([
    {
      type: "text",
      text: "Cited.",
      citations: [
        { type: "citation", ...source },
        { type: "groundingMetadata", webSearchQueries: ["q"], groundingChunks: [{ web: {} }] },
        { type: "urlContextMetadata", urlMetadata: [{ retrievedUrl: "https://b.test" }] },
      ],
    },
  ]);
});

function grounding(more: JsonObject): JsonObject {
  return { groundingMetadata: { webSearchQueries: ["q"], ...more } };
}

function candidate(content: string, more: JsonObject): string {
  return chunk({ candidates: [{ content: { parts: [{ text: content }] }, index: 0, ...more }] });
}

test("unknown fields and parts are kept, never fatal", async () => {
  const received = await receive(
    chunk({}),
    chunk({ sparkle: 1 }),
    chunk({ sparkle: 2 }),
    chunk({ candidates: [{ index: 0 }, null] }),
    parts({ hologram: { x: 1 } }, { text: "done" }),
    ending("STOP"),
  );
  expect(received.parts.filter((part) => part.type === "unknown")).toEqual([
    { type: "unknown", what: "sparkle", raw: { sparkle: 1, modelVersion: "model-1", responseId: "resp_1" } },
    { type: "unknown", what: "hologram", raw: { hologram: { x: 1 } } },
  ]);
  expect(finishOf(received).message.content).toEqual([
    { type: "provider-item", item: { hologram: { x: 1 } } },
    { type: "text", text: "done" },
  ]);
});

test("an error in mid-stream ends the call with what the vendor said", async () => {
  await checkReported({ code: 503, message: "Overloaded", status: "UNAVAILABLE" }, { vendorCode: "UNAVAILABLE" });
  await checkReported({ code: 500, message: "Oh", status: "INTERNAL" }, { vendorCode: "INTERNAL" });
  await checkReported(
    { code: 429, message: "Slowly", status: "RESOURCE_EXHAUSTED", details: [retryInfo("36.4s")] },
    { vendorCode: "RESOURCE_EXHAUSTED", retryAfterMs: 36_400 },
  );
  await checkReported(
    { code: 400, message: "No", status: "INVALID_ARGUMENT" },
    { vendorCode: "INVALID_ARGUMENT", retryable: false },
  );
  await checkReported(
    { code: 403, message: "No", status: "PERMISSION_DENIED" },
    { code: "provider.auth", vendorCode: "PERMISSION_DENIED", retryable: false, hint: "Set TEST_API_KEY." },
  );
  await checkReported({ message: "gone" }, {});
});

function retryInfo(retryDelay: string): JsonObject {
  return { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay };
}

function quota(quotaId: string): JsonObject {
  return { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [{ quotaId }] };
}

async function checkReported(error: JsonObject, expected: JsonObject): Promise<void> {
  const received = await receive(parts({ text: "seen" }), `data: ${JSON.stringify({ error })}\n\n`, ending("STOP"));
  expect(joined(received.parts).text).toBe("seen");
  expect(failureOf(received)).toEqual({ ...cutOff, ...expected });
  expect(messageOfFailure(received)).toContain(error["message"]);
}

test("error statuses: how long to wait, what no waiting helps, and a wrong key", async () => {
  const exhausted = { code: 429, message: "Quota", status: "RESOURCE_EXHAUSTED" };
  await checkStatus({ ...exhausted, details: [quota("GenerateRequestsPerMinutePerProject"), retryInfo("7s")] }, 429, {
    retryable: true,
    retryAfterMs: 7000,
  });
  await checkStatus({ ...exhausted, details: [quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier")] }, 429, {
    retryable: false,
    hint: "The day's quota is used up: wait for the next day, or check plan and billing.",
  });
  await checkStatus({ code: 503, message: "Later", status: "UNAVAILABLE" }, 503, { retryable: true });
  const details = [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }];
  await checkStatus({ code: 400, message: "API key not valid.", status: "INVALID_ARGUMENT", details }, 400, {
    code: "provider.auth",
    retryable: false,
    hint: "Set TEST_API_KEY.",
  });
});

async function checkStatus(error: JsonObject, status: number, expected: JsonObject): Promise<void> {
  const failure = { code: "provider.http", provider: "test", status, vendorCode: error["status"], ...expected };
  // With and without `alt=sse`, errors come as an object or as a list of one.
  for (const body of [{ error }, [{ error }]]) {
    const received = await answered(status, JSON.stringify(body));
    expect(failureOf(received)).toEqual(failure);
    expect(messageOfFailure(received)).toBe(`test: answered ${status}: ${textOf(error["message"])}`);
  }
}

test("a whole answer in one document, or a list of chunks, is accepted; any other body is refused", async () => {
  const first = { candidates: [{ content: { parts: [{ text: "a" }] }, index: 0 }] };
  const last = { candidates: [{ content: { parts: [{ text: "b" }] }, finishReason: "STOP", index: 0 }] };
  expect(finishOf(await answered(200, JSON.stringify(last))).message.content).toEqual([{ type: "text", text: "b" }]);
  expect(finishOf(await answered(200, JSON.stringify([first, last]))).message.content).toEqual([
    { type: "text", text: "ab" },
  ]);
  expect(failureOf(await answered(200, JSON.stringify([first])))["code"]).toBe("provider.stream");
  for (const body of ["{}", "[]", "[1]", "{", JSON.stringify(first)]) {
    expect(failureOf(await answered(200, body)), `body ${body}`).toEqual({
      code: "provider.protocol",
      provider: "test",
      retryable: false,
    });
  }
  expect(failureOf(await answered(200, "<html>", "text/html"))["code"]).toBe("provider.protocol");
});

test("a gateway that ends with [DONE] ends the answer there", async () => {
  const received = await receive(ending("STOP", [{ text: "a" }]), "data: [DONE]\n\n", "data: {x\n\n");
  expect(finishOf(received).message.content).toEqual([{ type: "text", text: "a" }]);
});

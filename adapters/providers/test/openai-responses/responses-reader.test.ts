import type { FinishReason, JsonObject, JsonValue } from "@capstan/protocol";
import { expect, test } from "vitest";
import {
  failureOf,
  finishOf,
  type Received,
  joined,
  listen,
  messageOfFailure,
  model,
  provide,
  simpleRequest,
} from "../fixtures/calls.ts";
import { checkContent, receive } from "../fixtures/receive-responses.ts";
import {
  callItem,
  completed,
  created,
  delta,
  event,
  incomplete,
  messageEvents,
  messageItem,
  reasoningItem,
  response,
  responsesStreams,
} from "../fixtures/responses-streams.ts";
import { replying, serve } from "../fixtures/wire-server.ts";

const cutOff = { code: "provider.stream", provider: "test", retryable: true, requestId: "req_stream" };

test("a stream that ends before the response did is a retryable failure, wherever it is cut", async () => {
  const events = responsesStreams["reasoning, text and parallel calls"] ?? [];
  for (let kept = 0; kept < events.length; kept += 1) {
    expect(failureOf(await receive(...events.slice(0, kept))), `after ${kept}`).toEqual(cutOff);
    expect(failureOf(await receive(...events.slice(0, kept), "data: [DONE]\n\n")), `after ${kept}, done`).toEqual(
      cutOff,
    );
  }
  expect(finishOf(await receive(...events, "data: [DONE]\n\n")).reason).toBe("tool-calls");
});

test("what nobody knows is kept for people and changes nothing", async () => {
  const received = await checkContent(
    "unknown",
    [
      event("mood.changed", { mood: "good" }),
      'data: {"hello":1}\n\n',
      'event: keepalive\ndata: {"type":"keepalive"}\n\n',
      ": comment\n\n",
      ...messageEvents(0, ["a"]),
      event("output_text.sparkle", { output_index: 0, content_index: 0 }),
      completed([messageItem("a")]),
    ],
    [{ type: "text", text: "a" }],
  );
  expect(received.parts.flatMap((part) => (part.type === "unknown" ? [part.what] : []))).toEqual([
    "response.mood.changed",
    "event",
    "response.output_text.sparkle",
  ]);
});

test("how an answer ended", async () => {
  const item = messageItem("a");
  await checkEnd([completed([item])], "stop");
  await checkEnd([completed([item, callItem("c", "f", "{}")])], "tool-calls");
  await checkEnd([completed([{ ...item, content: [{ type: "refusal", refusal: "no" }] }])], "refusal");
  await checkEnd([incomplete("max_output_tokens", [item])], "length");
  await checkEnd([incomplete("max_output_tokens", [item, callItem("c", "f", "{}")])], "length");
  await checkEnd([incomplete("content_filter", [item])], "content-filter");
  await checkEnd([incomplete("boredom", [item])], "other", "boredom");
  await checkEnd([completed([item], { status: "incomplete", incomplete_details: null })], "other", "incomplete");
  await checkEnd(
    [completed([item], { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } })],
    "length",
  );
});

async function checkEnd(pieces: readonly string[], reason: FinishReason, rawReason?: string): Promise<void> {
  const finish = finishOf(await receive(created, ...pieces));
  expect([finish.reason, finish.rawReason]).toEqual([reason, rawReason]);
}

test("a reported error ends the call; whether it may be tried again depends on what it says", async () => {
  for (const code of ["rate_limit_exceeded", "server_error", "vector_store_timeout"]) {
    await checkReported(failed({ code, message: "m" }), { vendorCode: code, retryable: true });
    await checkReported(event("error", { code, message: "m", param: null }), { vendorCode: code, retryable: true });
  }
  for (const code of ["invalid_prompt", "insufficient_quota", "image_content_policy_violation"]) {
    await checkReported(failed({ code, message: "m" }), { vendorCode: code, retryable: false });
    await checkReported(event("error", { error: { type: "x", code, message: "m" } }), {
      vendorCode: code,
      retryable: false,
    });
  }
  await checkReported(failed({ code: "context_length_exceeded", message: "m" }), {
    code: "provider.context",
    vendorCode: "context_length_exceeded",
    retryable: false,
    hint: "Attach less, or choose a model with a larger window (`capstan models` lists them); `capstan sessions compact` summarises what was said.",
  });
  await checkReported(failed(null), { retryable: true });
  await checkReported(event("error", { code: null, message: "m" }), { retryable: true });
  await checkReported('data: {"error":{"message":"m","code":502}}\n\n', { vendorCode: "502", retryable: true });
  await checkReported('event: error\ndata: {"message":"gone"}\n\n', { retryable: true });
  await checkReported(completed([], { status: "failed", error: { code: "server_error", message: "m" } }), {
    vendorCode: "server_error",
    retryable: true,
  });
  const cancelled = await receive(created, event("cancelled", { response: response({ status: "cancelled" }) }));
  expect(messageOfFailure(cancelled)).toMatch(/the response was cancelled/);
});

function failed(error: JsonValue): string {
  return event("failed", { response: response({ status: "failed", error }) });
}

async function checkReported(piece: string, expected: JsonObject): Promise<void> {
  const received = await receive(created, delta("output_text", 0, "seen"), piece);
  expect(joined(received.parts).text).toBe("seen");
  expect(failureOf(received), `after ${piece}`).toEqual({ ...cutOff, ...expected });
}

test("a whole response in one document is accepted, an unfinished one is not", async () => {
  const output = [reasoningItem("rs_1", "hm"), messageItem("hi"), callItem("a", "f", "{}")];
  const finish = finishOf(await receiveDocument(response({ output })));
  expect([finish.reason, finish.message.content.length, finish.usage.outputTokens, finish.responseId]).toEqual([
    "tool-calls",
    4,
    42,
    "resp_1",
  ]);
  expect(failureOf(await receiveDocument(response({ status: "in_progress" })))["code"]).toBe("provider.protocol");
  expect(failureOf(await receiveDocument({ object: "list", data: [] }))["code"]).toBe("provider.protocol");
  const error = { code: "server_error", message: "m" };
  expect(failureOf(await receiveDocument(response({ status: "failed", error })))).toMatchObject({
    code: "provider.stream",
    vendorCode: "server_error",
  });
});

async function receiveDocument(body: JsonObject): Promise<Received> {
  const server = await serve(replying(200, { "content-type": "application/json" }, JSON.stringify(body)));
  return listen(provide("openai-responses", server.url));
}

test("cancelling closes the socket and throws the reason", async () => {
  const server = await serve((answer) => {
    answer.writeHead(200, { "content-type": "text/event-stream" });
    answer.write(created + delta("output_text", 0, "seen"));
  });
  const provider = provide("openai-responses", server.url);
  const controller = new AbortController();
  const reason = new Error("enough");
  await expect(async () => {
    for await (const batch of provider.stream(simpleRequest, model(), controller.signal)) {
      if (batch.length > 0) controller.abort(reason);
    }
  }).rejects.toBe(reason);
  await server.closed;
  provider.close();
});

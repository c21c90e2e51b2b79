import { expect, test } from "vitest";
import { failureOf, listen, model, provide, simpleRequest } from "../fixtures/calls.ts";
import { replying, serve, type WireServer } from "../fixtures/wire-server.ts";

const refusal = {
  error: {
    message: "Your organization must be verified to generate reasoning summaries. Please verify it in the settings.",
    type: "invalid_request_error",
    param: "reasoning.summary",
    code: "unsupported_value",
  },
};
const answer = {
  type: "response.completed",
  response: {
    id: "resp_1",
    status: "completed",
    output: [{ type: "message", id: "msg_1", content: [{ type: "output_text", text: "hi", annotations: [] }] }],
    usage: { input_tokens: 1, output_tokens: 1 },
  },
};

/** A vendor that refuses whoever wants summaries. */
function unverified(): Promise<WireServer> {
  const refuse = replying(400, { "content-type": "application/json" }, JSON.stringify(refusal));
  const agree = replying(200, { "content-type": "text/event-stream" }, `data: ${JSON.stringify(answer)}\n\n`);
  return serve((response, request, socket) =>
    (request.body.includes('"summary":"') ? refuse : agree)(response, request, socket),
  );
}

test("an account that gets no summaries is answered without them, is reported once, and is not refused again", async () => {
  const server = await unverified();
  const provider = { ...provide("openai-responses", server.url), close: () => undefined };
  const first = await listen(provider);
  expect(first.error).toBeUndefined();
  expect(first.parts.filter((part) => part.type === "notice").map((part) => part.code)).toEqual([
    "provider.no-summaries",
  ]);
  const second = await listen(provider);
  expect(second.parts.some((part) => part.type === "notice")).toBe(false);
  expect(second.parts.at(-1)).toMatchObject({ type: "finish", reason: "stop" });
  expect(server.received).toHaveLength(3);
});

test("whoever asked for summaries is notified that there are none", async () => {
  const server = await unverified();
  const provider = provide("openai-responses", server.url);
  const asked = model({ reasoning_summary: "detailed" });
  const stream = provider.stream(simpleRequest, asked, new AbortController().signal)[Symbol.asyncIterator]();
  await expect(stream.next()).rejects.toThrow("must be verified to generate reasoning summaries");
  provider.close();
  expect(server.received).toHaveLength(1);
});

test("any other refusal stays one", async () => {
  const server = await serve(
    replying(400, { "content-type": "application/json" }, '{"error":{"message":"no such tool"}}'),
  );
  expect(failureOf(await listen(provide("openai-responses", server.url)))).toMatchObject({ status: 400 });
  expect(server.received).toHaveLength(1);
});

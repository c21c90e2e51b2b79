import Anthropic from "@anthropic-ai/sdk";
import type { FinishReason, ModelFinish } from "@capstan/protocol";
import { expect, test } from "vitest";
import { finishOf, listen, provide } from "../fixtures/calls.ts";
import { anthropicStreams } from "../fixtures/anthropic-streams.ts";
import { cutAnywhere, cutEverywhere, expectDeltasToAddUp } from "../fixtures/cut-streams.ts";
import { serve, streaming } from "../fixtures/wire-server.ts";

const reasons: Readonly<Record<string, FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "tool-calls",
  max_tokens: "length",
  refusal: "refusal",
  pause_turn: "pause",
};

test.each(Object.entries(anthropicStreams))("our reading equals the SDK's: %s", async (_name, events) => {
  const server = await serve(streaming(events.join("")));
  const sdk = new Anthropic({ apiKey: "k", baseURL: server.url, maxRetries: 0 });
  const theirs = await sdk.messages
    .stream({ model: "m", max_tokens: 10, messages: [{ role: "user", content: "hi" }] })
    .finalMessage();
  const received = await listen(provide("anthropic", server.url));
  expect(asVendor(finishOf(received))).toEqual(fromSdk(theirs));
  expectDeltasToAddUp(received);
});

test.each([
  "thinking, text and parallel calls",
  "a refusal before a word, with its reason",
  "code the vendor ran, and what it fetched",
  "tools that were searched for, and a call of one",
])("a stream cut at every byte boundary reads the same: %s", async (name) => {
  await cutEverywhere("anthropic", anthropicStreams[name] ?? [], (received, whole) => {
    expect(finishOf(received)).toEqual(finishOf(whole));
    expectDeltasToAddUp(received);
  });
});

test("any stream, cut anywhere, any number of times, reads the same", async () => {
  await cutAnywhere("anthropic", Object.values(anthropicStreams), (received, whole) => {
    expect(finishOf(received)).toEqual(finishOf(whole));
    expectDeltasToAddUp(received);
  });
});

/** Our finish in the vendor's words. */
function asVendor(finish: ModelFinish): unknown {
  const content = finish.message.content.map((block) => {
    switch (block.type) {
      case "text":
        return { type: "text", text: block.text, citations: block.citations ?? [] };
      case "thinking":
        return block.redacted === undefined
          ? { type: "thinking", thinking: block.text, signature: block.signature }
          : { type: "redacted_thinking", data: block.redacted };
      case "tool-call":
        return { type: "tool_use", id: block.callId, name: block.name, input: block.arguments };
      default:
        return block.item;
    }
  });
  const { usage } = finish;
  return {
    id: finish.responseId,
    content,
    reason: finish.reason,
    input: usage.inputTokens,
    output: usage.outputTokens,
  };
}

function fromSdk(message: Anthropic.Message): unknown {
  const content = message.content.map((block) => {
    if (block.type === "text") return { type: "text", text: block.text, citations: block.citations ?? [] };
    if (block.type !== "tool_use") return JSON.parse(JSON.stringify(block)) as unknown;
    const { id, name, input } = block;
    return { type: "tool_use", id, name, input: { type: "json", value: input } };
  });
  const { usage } = message;
  const cached = (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
  return {
    id: message.id,
    content,
    reason: reasons[message.stop_reason ?? ""],
    input: usage.input_tokens + cached,
    output: usage.output_tokens,
  };
}

import Anthropic from "@anthropic-ai/sdk";
import type { FinishReason, ModelFinish } from "@capstan/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { finishOf, joined, listen, provide, summed } from "../fixtures/calls.ts";
import { anthropicStreams } from "../fixtures/anthropic-streams.ts";
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
  const heard = await listen(provide("anthropic", server.url));
  expect(asVendor(finishOf(heard))).toEqual(fromSdk(theirs));
  expectDeltasToAddUp(heard);
});

test("a stream cut at every byte boundary reads the same", async () => {
  const events = anthropicStreams["thinking, text and parallel calls"] ?? [];
  const bytes = Buffer.from(events.join(""));
  let cutAt = 0;
  const server = await serve((response, request, socket) =>
    streaming(bytes.subarray(0, cutAt), bytes.subarray(cutAt))(response, request, socket),
  );
  const whole = finishOf(await listen(provide("anthropic", server.url)));
  const provider = provide("anthropic", server.url);
  for (cutAt = 1; cutAt < bytes.length; cutAt += 1) {
    const heard = await listen({ ...provider, close: () => undefined });
    expect(finishOf(heard), `cut at ${cutAt}`).toEqual(whole);
    expectDeltasToAddUp(heard);
  }
  provider.close();
});

test("any stream, cut anywhere, any number of times, reads the same", async () => {
  let pieces: readonly Uint8Array[] = [];
  const server = await serve((response, request, socket) => streaming(...pieces)(response, request, socket));
  const provider = provide("anthropic", server.url);
  const quiet = { ...provider, close: () => undefined };
  const samples = Object.values(anthropicStreams).map((events) => Buffer.from(events.join("")));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...samples), fc.array(fc.nat(4000), { maxLength: 12 }), async (bytes, cuts) => {
      pieces = [bytes];
      const whole = finishOf(await listen(quiet));
      pieces = cutIntoPieces(bytes, cuts);
      const heard = await listen(quiet);
      expect(finishOf(heard)).toEqual(whole);
      expectDeltasToAddUp(heard);
    }),
    { numRuns: 60 },
  );
  provider.close();
});

function cutIntoPieces(bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % bytes.length))].toSorted((a, b) => a - b);
  return [0, ...places].map((from, at) => bytes.subarray(from, places[at] ?? bytes.length));
}

function expectDeltasToAddUp(heard: Awaited<ReturnType<typeof listen>>): void {
  const sum = joined(heard.parts);
  const said = summed(finishOf(heard));
  expect({ text: sum.text, thinking: sum.thinking }).toEqual({ text: said.text, thinking: said.thinking });
  const values = said.calls.map((_call, index) => JSON.parse(sum.calls[index] || "{}") as unknown);
  expect(said.calls).toEqual(values.map((value) => ({ type: "json", value })));
}

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

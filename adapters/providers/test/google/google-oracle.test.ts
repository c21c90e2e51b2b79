import { GoogleGenAI, type GenerateContentResponse, type Part } from "@google/genai";
import type { FinishReason, JsonObject, ModelFinish } from "@capstan/protocol";
import { expect, test } from "vitest";
import { finishOf, listen, provide } from "../fixtures/calls.ts";
import { googleStreams, streamedCall } from "../fixtures/google-streams.ts";
import { cutAnywhere, cutEverywhere, expectDeltasToAddUp } from "../fixtures/cut-streams.ts";
import { serve, streaming } from "../fixtures/wire-server.ts";

const reasons: Readonly<Record<string, FinishReason>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  SAFETY: "content-filter",
};

test.each(Object.entries(googleStreams))("our reading equals the SDK's: %s", async (_name, chunks) => {
  const server = await serve(streaming(chunks.join("")));
  const sdk = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: server.url } });
  const theirs: GenerateContentResponse[] = [];
  for await (const chunk of await sdk.models.generateContentStream({ model: "model-1", contents: "hi" })) {
    theirs.push(chunk);
  }
  const received = await listen(provide("google", server.url));
  expect(asVendor(finishOf(received))).toEqual(fromSdk(theirs));
  expectDeltasToAddUp(received);
});

test("our calls go where the SDK's go", async () => {
  const server = await serve(streaming((googleStreams["plain text"] ?? []).join("")));
  const sdk = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: server.url } });
  await sdk.models.generateContentStream({ model: "model-1", contents: "hi" });
  await listen(provide("google", server.url));
  expect(server.received[1]?.path).toBe(server.received[0]?.path);
  expect(server.received.map(({ headers }) => headers["x-goog-api-key"])).toEqual(["k", expect.any(String)]);
});

test.each([
  ["thoughts, text and parallel calls", googleStreams["thoughts, text and parallel calls"] ?? []],
  ["a call in pieces", streamedCall],
])("a stream cut at every byte boundary reads the same: %s", async (_name, chunks) => {
  await cutEverywhere("google", chunks, (received, whole) => {
    expect(finishOf(received)).toEqual(finishOf(whole));
    expectDeltasToAddUp(received);
  });
});

test("any stream, cut anywhere, any number of times, reads the same", async () => {
  await cutAnywhere("google", [...Object.values(googleStreams), streamedCall], (received, whole) => {
    expect(finishOf(received)).toEqual(finishOf(whole));
    expectDeltasToAddUp(received);
  });
});

/** Our finish in the vendor's words. */
function asVendor(finish: ModelFinish): unknown {
  let minted = 0;
  const content = finish.message.content.map((block): JsonObject => {
    const signature =
      "signature" in block && block.signature !== undefined ? { thoughtSignature: block.signature } : {};
    switch (block.type) {
      case "text":
        return { text: block.text, ...signature };
      case "thinking":
        return { text: block.text, thought: true, ...signature };
      case "tool-call": {
        const args = block.arguments.type === "json" ? block.arguments.value : {};
        const own = block.callId === `call_${minted + 1}`;
        if (own) minted += 1;
        return { functionCall: { ...(own ? {} : { id: block.callId }), name: block.name, args }, ...signature };
      }
      default:
        return block.item;
    }
  });
  const { usage, reason, responseId } = finish;
  return { id: responseId, content, reason: reason === "tool-calls" ? "stop" : reason, usage };
}

function fromSdk(chunks: readonly GenerateContentResponse[]): unknown {
  const all = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
  const word = chunks.flatMap((chunk) => chunk.candidates?.[0]?.finishReason ?? []).at(-1) ?? "";
  const usage = chunks.flatMap((chunk) => chunk.usageMetadata ?? []).at(-1);
  const thoughts = usage?.thoughtsTokenCount ?? 0;
  return {
    id: chunks[0]?.responseId,
    content: all.reduce(joinTexts, []).map(withArguments),
    reason: reasons[word],
    usage: {
      inputTokens: usage?.promptTokenCount ?? 0,
      cachedInputTokens: usage?.cachedContentTokenCount ?? 0,
      cacheWriteTokens: 0,
      outputTokens: (usage?.candidatesTokenCount ?? 0) + thoughts,
      reasoningTokens: thoughts,
    },
  };
}

/** Pieces of one text are one; a part with a signature stays alone. */
function joinTexts(before: readonly Part[], part: Part): readonly Part[] {
  const last = before.at(-1);
  if (part.text === "" && part.thoughtSignature === undefined) return before;
  const joins = [last, part].every((one) => one?.text !== undefined && one.thoughtSignature === undefined);
  if (!joins || last?.thought !== part.thought) return [...before, part];
  return [...before.slice(0, -1), { ...part, text: `${last?.text}${part.text}` }];
}

function withArguments(part: Part): Part {
  return part.functionCall === undefined ? part : { ...part, functionCall: { args: {}, ...part.functionCall } };
}

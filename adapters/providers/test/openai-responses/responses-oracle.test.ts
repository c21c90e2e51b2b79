import type { FinishReason, JsonValue, ModelFinish } from "@capstan/protocol";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { finishOf, listen, provide } from "../fixtures/calls.ts";
import { responsesStreams } from "../fixtures/responses-streams.ts";
import { cutAnywhere, cutEverywhere, expectDeltasToAddUp } from "../fixtures/cut-streams.ts";
import { serve, streaming } from "../fixtures/wire-server.ts";

test.each(Object.entries(responsesStreams))("our reading equals the SDK's: %s", async (_name, events) => {
  const server = await serve(streaming(events.join("")));
  const sdk = new OpenAI({ apiKey: "k", baseURL: server.url, maxRetries: 0 });
  const received = await listen(provide("openai-responses", server.url));
  const theirs = await sdk.responses.stream({ model: "m", input: "hi" }).finalResponse();
  expect(asVendor(finishOf(received))).toEqual(fromSdk(theirs));
  expectDeltasToAddUp(received);
});

test("a last event without the output leaves what was streamed", async () => {
  for (const events of Object.values(responsesStreams)) {
    const last = events.at(-1) ?? "";
    const emptied = last.replace(/"output":\[.*\],"usage"/, '"output":[],"usage"');
    const server = await serve(streaming([...events.slice(0, -1), emptied].join("")));
    const received = await listen(provide("openai-responses", server.url));
    const whole = await serve(streaming(events.join("")));
    expect(finishOf(received)).toEqual(finishOf(await listen(provide("openai-responses", whole.url))));
  }
});

test.each([
  "refused",
  "an image, and commands in the vendor's container",
  "tools that were searched for, and a call of one",
])("a stream cut at every byte boundary reads the same: %s", async (name) => {
  await cutEverywhere("openai-responses", responsesStreams[name] ?? [], (received, whole) => {
    expect(finishOf(received)).toEqual(finishOf(whole));
    expectDeltasToAddUp(received);
  });
});

test("any stream, cut anywhere, any number of times, reads the same", async () => {
  await cutAnywhere("openai-responses", Object.values(responsesStreams), (received, whole) => {
    expect(finishOf(received)).toEqual(finishOf(whole));
    expectDeltasToAddUp(received);
  });
});

/** Our finish, flat. A reasoning item is kept raw, beside the text of its summary. */
function asVendor(finish: ModelFinish): unknown {
  const content = finish.message.content.map((block) => {
    switch (block.type) {
      case "text":
        return { text: block.text, citations: block.citations ?? [], phase: block.signature };
      case "thinking":
        return { thinking: block.text };
      case "tool-call":
        return { id: block.callId, name: block.name, arguments: block.arguments };
      default:
        return block.item;
    }
  });
  const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens } = finish.usage;
  return {
    id: finish.responseId,
    content,
    reason: finish.reason,
    usage: [inputTokens, cachedInputTokens, outputTokens, reasoningTokens],
  };
}

function fromSdk(response: OpenAI.Responses.Response): unknown {
  const { usage } = response;
  return {
    id: response.id,
    content: response.output.flatMap(fromItem),
    reason: reasonOf(response),
    usage: [
      usage?.input_tokens,
      usage?.input_tokens_details.cached_tokens,
      usage?.output_tokens,
      usage?.output_tokens_details.reasoning_tokens,
    ],
  };
}

function fromItem(item: OpenAI.Responses.ResponseOutputItem): readonly unknown[] {
  const raw: JsonValue = JSON.parse(JSON.stringify(item));
  if (item.type === "message") {
    return item.content.map((part) =>
      part.type === "output_text"
        ? { text: part.text, citations: part.annotations, phase: item.phase }
        : { text: part.refusal, citations: [], phase: item.phase },
    );
  }
  if (item.type === "function_call") {
    const value: unknown = JSON.parse(item.arguments);
    return [{ id: item.call_id, name: item.name, arguments: { type: "json", value } }];
  }
  if (item.type !== "reasoning" || item.summary.length === 0) return [raw];
  return [{ thinking: item.summary.map((part) => part.text).join("\n\n") }, raw];
}

function reasonOf(response: OpenAI.Responses.Response): FinishReason {
  const why = response.incomplete_details?.reason;
  if (why === "max_output_tokens") return "length";
  if (why === "content_filter") return "content-filter";
  if (response.output.some((item) => item.type === "function_call")) return "tool-calls";
  const refused = response.output.some(
    (item) => item.type === "message" && item.content.some((part) => part.type === "refusal"),
  );
  return refused ? "refusal" : "stop";
}

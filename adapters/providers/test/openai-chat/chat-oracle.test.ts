import type { ModelFinish } from "@capstan/protocol";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { chatStreams } from "../fixtures/chat-streams.ts";
import { finishOf, joined, listen, provide } from "../fixtures/calls.ts";
import { cutAnywhere } from "../fixtures/cut-streams.ts";
import { serve, streaming } from "../fixtures/wire-server.ts";

// The SDK throws at an answer that was cut by the limit in place of handing it on.
const comparable = Object.entries(chatStreams).filter(([name]) => name !== "cut by the limit");

test.each(comparable)("our reading equals the SDK's: %s", async (_name, events) => {
  const server = await serve(streaming(events.join("")));
  const sdk = new OpenAI({ apiKey: "k", baseURL: server.url, maxRetries: 0 });
  const messages = [{ role: "user", content: "hi" }] as const;
  const received = finishOf(await listen(provide("openai-chat", server.url)));
  const theirs = await sdk.chat.completions.stream({ model: "m", messages: [...messages] }).finalChatCompletion();
  expect(asVendor(received)).toEqual(fromSdk(theirs));
});

test("any stream, cut anywhere, any number of times, reads the same", async () => {
  await cutAnywhere("openai-chat", Object.values(chatStreams), (received, whole) => {
    expect(finishOf(received)).toEqual(finishOf(whole));
    expect(joined(received.parts)).toEqual(joined(whole.parts));
  });
});

function asVendor(finish: ModelFinish): unknown {
  const text = finish.message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  const calls = finish.message.content.flatMap((block) =>
    block.type === "tool-call" ? [{ id: block.callId, name: block.name, arguments: block.arguments }] : [],
  );
  const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens } = finish.usage;
  return { id: finish.responseId, text, calls, usage: [inputTokens, cachedInputTokens, outputTokens, reasoningTokens] };
}

function fromSdk(completion: OpenAI.ChatCompletion): unknown {
  const message = completion.choices[0]?.message;
  const calls = (message?.tool_calls ?? []).flatMap((call) =>
    call.type === "function"
      ? [
          {
            id: call.id,
            name: call.function.name,
            arguments: { type: "json", value: JSON.parse(call.function.arguments) as unknown },
          },
        ]
      : [],
  );
  return {
    id: completion.id,
    text: `${message?.content ?? ""}${message?.refusal ?? ""}`,
    calls,
    usage: usageOf(completion.usage),
  };
}

function usageOf(usage: OpenAI.CompletionUsage | undefined): readonly number[] {
  const { prompt_tokens: input = 0, completion_tokens: output = 0 } = usage ?? {};
  const { prompt_tokens_details: read, completion_tokens_details: written } = usage ?? {};
  return [input, read?.cached_tokens ?? 0, output, written?.reasoning_tokens ?? 0];
}

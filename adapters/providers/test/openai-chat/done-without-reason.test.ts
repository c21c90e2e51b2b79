import OpenAI from "openai";
import { expect, test } from "vitest";
import { failureOf, finishOf, type Received, listen, provide } from "../fixtures/calls.ts";
import { calls, chunk, delta, done } from "../fixtures/chat-streams.ts";
import { cutEverywhere, expectDeltasToAddUp } from "../fixtures/cut-streams.ts";
import { serve, streaming } from "../fixtures/wire-server.ts";

const usage = chunk({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } });
const words = [delta({ role: "assistant", content: "Hel" }), delta({ content: "lo." }), usage, done];
const called = [
  calls({ index: 0, id: "call_a", type: "function", function: { name: "read_file", arguments: '{"path":' } }),
  calls({ index: 0, function: { arguments: '"a"}' } }),
  usage,
  done,
];

async function receive(...events: readonly string[]): Promise<Received> {
  const server = await serve(streaming(events.join("")));
  return listen(provide("openai-chat", server.url));
}

test("an answer whose cost is reported and whose stream says it is done has ended, with or without calls", async () => {
  const said = finishOf(await receive(...words));
  expect([said.reason, said.rawReason, said.message.content]).toEqual([
    "stop",
    "[DONE]",
    [{ type: "text", text: "Hello." }],
  ]);
  expect([said.usage.inputTokens, said.usage.outputTokens]).toEqual([9, 3]);
  const asked = finishOf(await receive(...called));
  expect([asked.reason, asked.rawReason]).toEqual(["tool-calls", "[DONE]"]);
  expect(asked.message.content).toMatchObject([{ callId: "call_a", arguments: { value: { path: "a" } } }]);
});

test("without its cost, or without its end mark, such an answer broke off", async () => {
  const cutOff = { code: "provider.stream", retryable: true };
  expect(failureOf(await receive(...words.slice(0, 2), done))).toMatchObject(cutOff);
  expect(failureOf(await receive(...words.slice(0, 3)))).toMatchObject(cutOff);
  expect(failureOf(await receive(...words.slice(0, 2), chunk({ choices: [], usage: null }), done))).toMatchObject(
    cutOff,
  );
});

test("cut at any byte it reads the same, and the SDK receives the same words", async () => {
  await cutEverywhere("openai-chat", words, (received, whole) => {
    expect(finishOf(received)).toEqual(finishOf(whole));
    expectDeltasToAddUp(received);
  });
  const server = await serve(streaming(words.join("")));
  const sdk = new OpenAI({ apiKey: "k", baseURL: server.url, maxRetries: 0 });
  const messages = [{ role: "user", content: "hi" }] as const;
  let theirs = "";
  for await (const part of await sdk.chat.completions.create({ model: "m", messages: [...messages], stream: true }))
    theirs += part.choices[0]?.delta.content ?? "";
  expect(theirs).toBe("Hello.");
});

import type { Compactors, ModelProvider } from "@capstan/ports";
import type { ModelSettings, ModelStreamPart } from "@capstan/protocol";
import { expect, test } from "vitest";
import { openCompactors } from "../../src/index.ts";
import { optionsFor } from "../fixtures/calls.ts";
import { replying, serve, type WireServer } from "../fixtures/wire-server.ts";

const messages = [
  { role: "user", content: [{ type: "text", text: "hello" }] },
  { role: "user", content: [{ type: "text", text: "Summarise the conversation." }] },
] as const;
const asked = { system: "s", tools: [], messages, maxOutputTokens: 300 };

function model(id: string): ModelSettings {
  const sizes = { contextWindowTokens: 1000, maxOutputTokens: 100 };
  return { provider: "compactor", id, wire: "compactor", ...sizes, options: { agentId: "review" } };
}

async function summaryBy(provider: ModelProvider, id: string, signal = new AbortController().signal): Promise<string> {
  const parts: ModelStreamPart[] = [];
  for await (const batch of provider.stream(asked, model(id), signal)) parts.push(...batch);
  expect(parts).toMatchObject([{ type: "finish", reason: "stop", usage: { inputTokens: 0, outputTokens: 0 } }]);
  const [finish] = parts;
  const block = finish?.type === "finish" ? finish.message.content[0] : undefined;
  return block?.type === "text" ? block.text : "";
}

async function behind({ url }: WireServer): Promise<ModelProvider> {
  return await openCompactors({}, optionsFor(`${url}/summarise`));
}

test("a program's compactor is given the messages without what asks a model, twice the same", async () => {
  const own: Compactors = {
    short: {
      summarize: ({ agentId, messages: given, maxTokens }) =>
        Promise.resolve(`${agentId}: ${given.length} message, ${maxTokens} tokens`),
    },
  };
  const provider = await openCompactors(own, null);
  for (const _ of [1, 2]) expect(await summaryBy(provider, "short")).toBe("review: 1 message, 300 tokens");
});

test("what a compactor throws may pass another time; a compactor that there is not never will", async () => {
  const failing: Compactors = { broken: { summarize: () => Promise.reject(new Error("out of paper")) } };
  const provider = await openCompactors(failing, null);
  await expect(summaryBy(provider, "broken")).rejects.toMatchObject({
    failure: { message: "out of paper", retryable: true },
  });
  await expect(summaryBy(provider, "constructor")).rejects.toMatchObject({ failure: { retryable: false } });
});

test("a compactor that never answers is left when it is cancelled", async () => {
  const provider = await openCompactors({ slow: { summarize: () => new Promise(() => undefined) } }, null);
  const controller = new AbortController();
  const summary = summaryBy(provider, "slow", controller.signal);
  controller.abort(new Error("cancelled"));
  await expect(summary).rejects.toThrow("cancelled");
  await expect(summaryBy(provider, "slow", controller.signal)).rejects.toThrow("cancelled");
});

test.each([
  ["text", "application/text", "It was long."],
  ["a JSON text", "application/json", '"It was long."'],
  ["summary", "application/json", '{"summary":" It was long. ","content":"no"}'],
  ["result", "application/json", '{"result":"It was long."}'],
  ["content", "application/json", '{"summary":null,"content":"It was long."}'],
])("an address is sent the messages with its key and may answer with %s", async (_, type, body) => {
  const server = await serve(replying(200, { "content-type": type }, body));
  expect(await summaryBy(await behind(server), "http")).toBe("It was long.");
  const [received] = server.received;
  expect([received?.path, received?.headers["authorization"]]).toEqual([
    "/summarise",
    expect.stringMatching(/^Bearer /),
  ]);
  expect(JSON.parse(received?.body ?? "")).toEqual({ agentId: "review", messages: [messages[0]], maxTokens: 300 });
});

test.each([
  [200, "{}", false],
  [200, " ", false],
  [401, "no", false],
  [503, "busy", true],
])("an address that answers %i with %j is no summary", async (status, body, retryable) => {
  const server = await serve(replying(status, { "content-type": "application/json" }, body));
  await expect(summaryBy(await behind(server), "http")).rejects.toMatchObject({ failure: { retryable } });
});

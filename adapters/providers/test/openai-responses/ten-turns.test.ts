import { type Message, type ModelRequest, type UserBlock } from "@capstan/protocol";
import { parseScenario, startRehearsal } from "@capstan/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { model, provide } from "../fixtures/calls.ts";
import { result, tool, user } from "../fixtures/conversations.ts";

const rounds = 10;
const turns = Array.from({ length: rounds }, (_, index) => ({
  thinking: `Round ${index}: 🧵 "quotes" and\n\nlines`,
  text: index % 3 === 0 ? "" : `Reading ${index}`,
  tool_calls:
    index === rounds - 1
      ? []
      : [
          { name: "read_file", arguments: { path: `${index}.ts` } },
          { name: "read_file", arguments: index % 2 === 0 ? {} : "{broken" },
        ],
  ...(index === rounds - 1 ? { text: "Done." } : {}),
  ...(index === 0 ? {} : { expect: { tool_results: [{ name: "read_file" }, { name: "read_file", contains: "r" }] } }),
  chunk_bytes: 7 + index,
}));

test("ten turns with reasoning and parallel calls: every later request is accepted, and reasoning comes back", async () => {
  const server = await startRehearsal({ scenario: parseScenario(JSON.stringify({ name: "ten", turns }), "ten.json") });
  const provider = provide("openai-responses", `${server.url}/v1`);
  onTestFinished(async () => {
    provider.close();
    await server.close();
  });
  const messages: Message[] = [user("Go.")];
  for (let index = 0; index < rounds; index += 1) {
    messages.push(await answerTo(messages));
    const results = resultsFor(messages.at(-1));
    if (results.length > 0) messages.push(user(...results));
  }
  expect(server.unused()).toBe(0);
  expect(messages.filter((message) => message.role === "assistant")).toHaveLength(rounds);
  const last = server.exchanges.at(-1)?.body;
  const sent = JSON.stringify(last).match(/"type":"reasoning"/g) ?? [];
  expect(sent).toHaveLength(rounds - 1);

  async function answerTo(history: readonly Message[]): Promise<Message> {
    const request: ModelRequest = { system: "s", messages: [...history], tools: [tool], maxOutputTokens: 1000 };
    for await (const batch of provider.stream(request, model(), new AbortController().signal)) {
      const finish = batch.at(-1);
      if (finish?.type === "finish") return finish.message;
    }
    throw new Error("no answer");
  }
});

function resultsFor(message: Message | undefined): readonly UserBlock[] {
  if (message?.role !== "assistant") return [];
  return message.content.flatMap((block) => (block.type === "tool-call" ? [result(block.callId, "read")] : []));
}

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { key, newPlace, rehearse, start, take } from "./host-place.ts";

function local(url: string): readonly string[] {
  return [
    "app.model=local/weak",
    "providers.local.wire=openai-chat",
    `providers.local.base_url=${url}/v1`,
    `providers.local.api_key=${key}`,
  ];
}

function written(name: string, args: object): object {
  const call = JSON.stringify({ name, arguments: args });
  return { text: `<think>\nThe user wants it.\n</think>\n\n\`\`\`json\n${call}\n\`\`\`` };
}

test("a weak model's call, written as text after tagged thinking, runs like any other", async () => {
  const { settings, workspace } = newPlace();
  writeFileSync(join(workspace, "note.txt"), "the moon is made of rock\n");
  const rehearsal = await rehearse([written("file_read", { file: "note.txt" }), { text: "It is rock." }]);
  const host = await start(await settings({}, local(rehearsal.url)));
  const records = (await take(host, "What is the moon made of?")).map((event) => event.record);
  expect(records.at(-1)).toMatchObject({ type: "turn-ended", outcome: "done" });
  expect(records.findLast((record) => record.type === "notice")).toMatchObject({ code: "provider.recovered-call" });
  expect(records.find((record) => record.type === "tool-decided")).toMatchObject({ judgement: { verdict: "allow" } });
  expect(JSON.stringify(records.find((record) => record.type === "tool-finished"))).toContain("made of rock");
  // The server checks each request as vendors do: the second one has the call, its result, and no thinking.
  expect(rehearsal.exchanges.map((exchange) => exchange.status)).toEqual([200, 200]);
  expect(JSON.stringify(rehearsal.exchanges[1])).not.toContain("The user wants it.");
});

test("a call written as text is judged by the same rules as any other", async () => {
  const { settings } = newPlace();
  const rehearsal = await rehearse([written("run_command", { command: "touch made" }), { text: "I may not." }]);
  const host = await start(await settings({}, [...local(rehearsal.url), 'permissions.deny=["run_command"]']));
  const records = (await take(host, "go")).map((event) => event.record);
  expect(records.filter((record) => record.type === "tool-started")).toEqual([]);
  expect(records.find((record) => record.type === "tool-decided")).toMatchObject({ judgement: { verdict: "deny" } });
});

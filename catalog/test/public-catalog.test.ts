import type { JsonValue } from "@capstan/protocol";
import { expect, test } from "vitest";
import { readPublicCatalog } from "../src/public-catalog.ts";

const wanted = new Set(["anthropic", "openai"]);
const good = { id: "good", limit: { context: 100, output: 10 } };

function read(...entries: readonly JsonValue[]): ReturnType<typeof readPublicCatalog> {
  const models = Object.fromEntries(entries.map((entry, index) => [String(index), entry]));
  return readPublicCatalog({ anthropic: { models } }, wanted);
}

test("an entry is read with everything it says", () => {
  const entry = {
    ...good,
    name: "Good",
    reasoning: false,
    status: "deprecated",
    cost: { input: 1, output: 2, cache_read: 0.1, context_over_200k: { input: 2, output: 3 }, reasoning: 5 },
    modalities: { input: ["text", "pdf", "image", "smell"], output: ["text", "image"] },
  };
  expect(read(entry)?.vendors.get("anthropic")).toEqual([
    {
      id: "good",
      listed: false,
      contextWindowTokens: 100,
      maxOutputTokens: 10,
      prices: { input: 1, output: 2, cachedInput: 0.1, longPrompt: [{ aboveTokens: 200_000, input: 2, output: 3 }] },
      inputs: ["image", "pdf"],
      thinking: "no",
    },
  ]);
});

test("steps of long prompts are read in their exact form, which stands above the older one", () => {
  const long = { input: 2, output: 3, cache_read: 0.2 };
  const steps = [272_000, 500_000].map((size) => ({ ...long, tier: { type: "context", size } }));
  const cost = { input: 1, output: 2, tiers: steps, context_over_200k: long };
  expect(read({ ...good, cost })?.vendors.get("anthropic")?.[0]?.prices?.longPrompt).toEqual([
    { input: 2, output: 3, cachedInput: 0.2, aboveTokens: 272_000 },
    { input: 2, output: 3, cachedInput: 0.2, aboveTokens: 500_000 },
  ]);
});

test("entries that do not fit are skipped and counted; models that write no text are only left out", () => {
  const bad: readonly JsonValue[] = [
    null,
    "text",
    {},
    { ...good, id: "" },
    { ...good, id: "two words" },
    { ...good, id: "family*" },
    { ...good, id: "line\nbreak" },
    { ...good, id: "x".repeat(1000) },
    { ...good, limit: { context: "100", output: 10 } },
    { ...good, limit: { context: 100, output: 0 } },
    { ...good, limit: { context: 1e300, output: 10 } },
    { ...good, cost: "free" },
    { ...good, cost: { input: 1 } },
    { ...good, cost: { input: -1, output: 2 } },
    { ...good, cost: { input: 1, output: 2, cache_read: "0.1" } },
    { ...good, cost: { input: 1, output: 2, context_over_200k: { input: 1 } } },
    { ...good, cost: { input: 1, output: 2, tiers: [{ input: 1, output: 2, tier: { type: "mood", size: 1 } }] } },
    { ...good, cost: { input: 1, output: 2, tiers: [{ tier: { type: "context", size: 1 } }] } },
  ];
  const found = read(good, ...bad, { ...good, id: "painter", modalities: { output: ["image"] } });
  expect(found?.vendors.get("anthropic")?.map(({ id }) => id)).toEqual(["good"]);
  expect(found?.skipped).toBe(bad.length);
});

test("a document that is no catalog, or has nothing of the wanted vendors, is none", () => {
  const other = { nobody: { models: { good } } };
  for (const document of [null, 1, "x", [], {}, other, { anthropic: [] }, { anthropic: { models: [good] } }])
    expect(readPublicCatalog(document, wanted)).toBeUndefined();
});

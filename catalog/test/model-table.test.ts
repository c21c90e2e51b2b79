import { expect, test } from "vitest";
import type { CatalogModel } from "../src/model-facts.ts";
import { modelSection, readModels } from "../src/model-table.ts";
import gatewayModels from "../src/data/gateway-models.json" with { type: "json" };
import makerModels from "../src/data/maker-models.json" with { type: "json" };

const models: readonly CatalogModel[] = [
  { id: "bare", listed: true },
  { id: "family", listed: false, thinking: "no", inputs: [] },
  {
    id: "maker/every-field:free",
    listed: true,
    contextWindowTokens: 1_048_576,
    maxOutputTokens: 65_536,
    prices: {
      input: 0,
      output: 0.000_001,
      cacheWrite: 2.5,
      longPrompt: [
        { aboveTokens: 200_000, input: 4, output: 18, cachedInput: 0.4 },
        { aboveTokens: 400_000, input: 8, output: 36 },
      ],
    },
    inputs: ["image", "pdf", "audio", "video"],
    thinking: "both",
  },
];

test("what is written is read again as it was", () => {
  expect(readModels(JSON.parse(JSON.stringify(modelSection(models)))).all()).toEqual(models);
});

test("models of another form, and facts that do not fit, are left out", () => {
  const section = readModels({
    text: "200000 8192 - - no",
    odd: {
      contextWindowTokens: -1,
      maxOutputTokens: 1.5,
      prices: { input: "1" },
      inputs: ["smell"],
      thinking: "maybe",
    },
    free: {
      prices: { input: 0, output: 0, longPrompt: [{ aboveTokens: 5, input: 1, output: 2 }, { input: 1 }, 7] },
      inputs: [],
      thinking: "no",
    },
  });
  expect(section.get("text")).toBeUndefined();
  expect(section.get("constructor")).toBeUndefined();
  expect(section.all()).toEqual([
    { id: "odd", listed: true, inputs: [] },
    {
      id: "free",
      listed: true,
      inputs: [],
      thinking: "no",
      prices: { input: 0, output: 0, longPrompt: [{ aboveTokens: 5, input: 1, output: 2 }] },
    },
  ]);
  for (const none of [undefined, null, 7, "a", []]) expect(readModels(none).all()).toEqual([]);
});

test("every model of the built-in catalog is whole: sizes that fit, prices that do not fall with long prompts", () => {
  for (const [vendor, section] of Object.entries({ ...makerModels, ...gatewayModels })) {
    const read = readModels(section).all();
    expect([vendor, modelSection(read)]).toEqual([vendor, section]);
    expect(read.filter((model) => !isWhole(model)).map(({ id }) => id)).toEqual([]);
  }
});

function isWhole({ contextWindowTokens = 0, maxOutputTokens = 0, prices, inputs, thinking }: CatalogModel): boolean {
  if (inputs === undefined || thinking === undefined || maxOutputTokens < 1) return false;
  const { input = 0, cachedInput = 0, longPrompt = [] } = prices ?? {};
  return (
    maxOutputTokens <= contextWindowTokens &&
    cachedInput <= input &&
    longPrompt.every((step) => step.input >= input && step.aboveTokens < contextWindowTokens)
  );
}

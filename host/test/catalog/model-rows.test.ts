import { expect, test } from "vitest";
import type { CatalogModel } from "../../src/catalog/model-facts.ts";
import { readRows, rowText } from "../../src/catalog/model-rows.ts";
import { gatewayModels } from "../../src/catalog/data/gateway-models.ts";
import { makerModels } from "../../src/catalog/data/maker-models.ts";

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

test("what is written as rows is read again as it was", () => {
  expect(readRows(models.map(rowText).join("\n")).all()).toEqual(models);
});

test("lines of another kind, and words that do not fit, are left out", () => {
  const rows = "\n{}\na b c\nodd -1 1.5 x,y zq maybe 5:1\nfree 0 0 0,0 t no 5:1,2 x:1,2 7:1\n";
  expect(readRows(rows).get("a")).toBeUndefined();
  expect(readRows(rows).all()).toEqual([
    { id: "odd", listed: true, inputs: [] },
    {
      id: "free",
      listed: true,
      inputs: [],
      thinking: "no",
      prices: { input: 0, output: 0, longPrompt: [{ aboveTokens: 5, input: 1, output: 2 }] },
    },
  ]);
});

test("every row of the built-in catalog is whole: sizes that fit, prices that do not fall with long prompts", () => {
  for (const [vendor, rows] of Object.entries({ ...makerModels, ...gatewayModels })) {
    const lines = rows.trim().split("\n");
    const read = readRows(rows);
    expect([vendor, [...read.ids()].length]).toEqual([vendor, lines.length]);
    expect(read.all().map(rowText)).toEqual(lines);
    const odd = read
      .all()
      .filter((model) => !isWhole(model))
      .map(({ id }) => id);
    expect(odd).toEqual([]);
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

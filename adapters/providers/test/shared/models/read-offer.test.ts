import { expect, test } from "vitest";
import { limits } from "../../../src/limits.ts";
import { readOffer } from "../../../src/shared/models/read-offer.ts";

const bare = { id: "m", window: [], output: [] };

test("a model without an id that can be one is not offered", () => {
  const ids = [undefined, null, 1, "", "  ", "x".repeat(limits.modelNameChars + 1)];
  expect(ids.map((id) => readOffer({ ...bare, id }))).toEqual(ids.map(() => []));
  const longest = "x".repeat(limits.modelNameChars);
  expect(readOffer({ ...bare, id: longest })).toEqual([{ id: longest }]);
});

test("a name that says nothing more is left out", () => {
  const names = ["M", "m", " ", "", null, 3];
  expect(names.map((name) => readOffer({ ...bare, name })[0]?.name)).toEqual(["M", ...Array<undefined>(5)]);
});

test("the first count that can be one counts; 0 is none, and neither is more than any model has", () => {
  const windows = [[undefined, 0, 8000, 9000], ["8000", -1, 1], [100_000_000], [100_000_001], []];
  expect(windows.map((window) => readOffer({ ...bare, window })[0]?.contextWindowTokens)).toEqual([
    8000,
    1,
    100_000_000,
    undefined,
    undefined,
  ]);
  expect(readOffer({ ...bare, output: [0, 5], inputs: ["image"] })).toEqual([
    { id: "m", maxOutputTokens: 5, inputs: ["image"] },
  ]);
});

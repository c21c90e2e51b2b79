import type { ListedModel } from "@capstan/host";
import { expect, test } from "vitest";
import { modelsTable } from "../../src/commands/models-table.ts";

const bare: ListedModel = { provider: "local", id: "m", source: "vendor", isDefault: false };

test("columns are aligned, what is not known is a dash, and the default is marked", () => {
  const known: ListedModel = {
    ...bare,
    provider: "anthropic",
    id: "claude-haiku-5-5",
    contextWindowTokens: 1_048_576,
    maxOutputTokens: 65_536,
    prices: { input: 0.1, output: 2.5 },
    source: "catalog",
    isDefault: true,
  };
  expect(modelsTable([known, { ...bare, contextWindowTokens: 512 }], false).split("\n")).toEqual([
    "  model                       context  output  $/M in  $/M out  source",
    "* anthropic/claude-haiku-5-5    1.05M     66k     0.1      2.5  catalog",
    "  local/m                         512       -       -        -  vendor",
  ]);
});

test("what a vendor calls its models cannot steer a terminal", () => {
  const table = modelsTable([{ ...bare, id: "evil\u001B[2J\n\u202Eid" }], false);
  expect(table).not.toContain("\u001B");
  expect(table).not.toContain("\u202E");
  expect(table.split("\n").length).toBe(2);
});

test("colours come only when asked for", () => {
  const [plain = "", styled = ""] = [false, true].map((colors) => modelsTable([{ ...bare, isDefault: true }], colors));
  const [title = "", row = ""] = plain.split("\n");
  expect(styled).toBe(`\u001B[2m${title}\u001B[0m\n\u001B[1m${row}\u001B[0m`);
});

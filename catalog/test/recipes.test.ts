import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requireKey, resolveProvider } from "../src/resolve-provider.ts";
import { configPlace } from "../../settings/test/config/config-place.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/providers.md"), "utf8");
const recipes = [...page.matchAll(/```toml\n([^]*?)```/g)].map(([, toml = ""]) => toml);
const keys = [...page.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => [name, "k"] as const);

test("every recipe of the providers' page is a configuration whose providers can be asked", async () => {
  expect(recipes.length).toBeGreaterThan(10);
  const env = Object.fromEntries(keys);
  for (const toml of recipes) {
    const { values, warnings } = await configPlace({ user: toml }).load({ env });
    expect([toml, warnings]).toEqual([toml, []]);
    for (const name of Object.keys(values.providers)) requireKey(resolveProvider(name, values, env));
  }
});

test("the page names every key of the dialect", async () => {
  const { values } = await configPlace({ user: "[providers.x.dialect]\nthink_tags = 'on'\n" }).load();
  const names = Object.keys(values.providers["x"]?.dialect ?? {});
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

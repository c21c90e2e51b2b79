import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { providerKeys, providerOptions } from "@capstan/settings";

const sources = join(import.meta.dirname, "../../adapters/providers/src");

test("every option a wire reads can be configured, and every option that can be configured is read", () => {
  const text = readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(sources, file), "utf8"))
    .join("\n");
  const read = [...text.matchAll(/\b(?:(?:text|flag|number)Option\([\w.]+, |options\[)"(\w+)"/g)].map(
    ([, name = ""]) => name,
  );
  const dialect = Object.keys(providerKeys).flatMap((path) => /\.dialect\.(\w+)$/.exec(path)?.[1] ?? []);
  const known = new Set([...providerOptions, ...dialect, "body"]);
  expect([...new Set(read)].filter((name) => !known.has(name))).toEqual([]);
  expect([...known].filter((name) => !read.includes(name))).toEqual([]);
});

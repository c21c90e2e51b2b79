import { type Schema, Validator } from "@cfworker/json-schema";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { configJsonSchema } from "../../../src/config/docs/config-json-schema.ts";
import { configReference } from "../../../src/config/docs/config-reference.ts";
import { configTemplate } from "../../../src/config/docs/config-template.ts";
import { configKeys } from "../../../src/config/keys/config-keys.ts";
import { configPlace } from "../config-place.ts";

const uncommented = configTemplate().replaceAll(/^#(?! )/gm, "");

test("the template changes nothing as it is", async () => {
  const plain = await configPlace().load();
  const templated = await configPlace({ user: configTemplate() }).load();
  expect(templated.values).toEqual(plain.values);
  expect([...templated.origins.values()].filter((origin) => origin.layer !== "default")).toEqual([]);
});

test("with every # taken away the template is a valid file that names every key", async () => {
  const loaded = await configPlace({ user: uncommented }).load({ env: { ANTHROPIC_API_KEY: "k" } });
  const named = [...loaded.origins].filter(([, origin]) => origin.layer === "user").map(([path]) => path);
  expect(named.length).toBe(Object.keys(configKeys).length);
  const fixed = Object.entries(configKeys).filter(
    ([path, key]) => typeof key.default !== "object" && !path.includes("*"),
  );
  expect(fixed.map(([path]) => [path, loaded.keys.get(path)?.value])).toEqual(
    fixed.map(([path, key]) => [path, key.default]),
  );
});

test("the schema accepts the template's values and refuses what the loader refuses", () => {
  const validator = new Validator(schemaOf(), "2020-12");
  const accepts = (toml: string): boolean => validator.validate(JSON.parse(JSON.stringify(parse(toml)))).valid;
  expect(validator.validate(JSON.parse(JSON.stringify(parse(uncommented)))).errors).toEqual([]);
  const wrong = [
    "x = 1",
    "app.modle = 'x'",
    "retry.jitter = 2",
    "retry.max_attempts = 1.5",
    "tools.strategy = 'x'",
    "tools.disabled = ['']",
    "providers.x.base_url = 'ftp://x'",
    "presets.p.x = 1",
    "presets.p.presets.q.app.model = 'x'",
    "permissions.rules = [{ tool = 'x' }]",
  ];
  expect(wrong.filter(accepts)).toEqual([]);
  const right = [
    "tools.approval.mode = 'prompt'",
    "providers.x.base_url = '${URL}'",
    "openai.verbosity = '${V:-low}'",
    "presets.p.app.model = 'x'",
  ];
  expect(right.filter((toml) => !accepts(toml))).toEqual([]);
});

test("the reference names every key with its default and variables", () => {
  const page = configReference();
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  expect(rows.map((row) => /^\| `([^`]+)`/.exec(row)?.[1])).toEqual(
    expect.arrayContaining(Object.keys(configKeys).map((path) => path.replaceAll("*", "NAME"))),
  );
  expect(rows.length).toBe(Object.keys(configKeys).length);
  expect(rows.find((row) => row.startsWith("| `permissions.mode`"))).toMatch(
    /^\| `permissions\.mode` \| one of plan, default, accept-edits, auto; acceptEdits means accept-edits; .* \| `"default"` \| ignored \| `CAPSTAN_PERMISSION_MODE` \| How far the agent may go when a session begins\. \|$/,
  );
});

function schemaOf(): Schema {
  return JSON.parse(JSON.stringify(configJsonSchema()));
}

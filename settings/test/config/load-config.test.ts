import * as fc from "fast-check";
import { runs } from "@capstan/testkit";
import { expect, test } from "vitest";
import type { ConfigOrigin } from "../../src/config/config-origin.ts";
import type { LoadConfigOptions } from "../../src/config/load-config.ts";
import type { CapstanConfig } from "../../src/config/keys/capstan-config.ts";
import { configPlace, noDialect } from "./config-place.ts";

test("with no file at all, everything is a default and nothing is said", async () => {
  const loaded = await configPlace().load();
  expect({ files: loaded.files, warnings: loaded.warnings }).toEqual({ files: [], warnings: [] });
  expect([...loaded.origins.values()].filter((origin) => origin.layer !== "default")).toEqual([]);
  expect(loaded.values.tools.timeouts).toEqual({
    default_seconds: 30,
    file_operations_seconds: 30,
    shell_commands_seconds: 300,
    max_shell_seconds: 3600,
  });
  expect(loaded.values.limits).toEqual({
    max_model_calls_per_turn: null,
    max_cost_usd: null,
    max_tokens_per_turn: null,
    max_turn_seconds: null,
    max_bytes_written_per_turn: 268_435_456,
    max_files_written_per_turn: 2000,
  });
  expect({ app: loaded.values.app, retry: loaded.values.retry, providers: loaded.values.providers }).toEqual({
    app: {
      model: null,
      provider: null,
      model_fallbacks: [],
      max_output_tokens: null,
      effort: null,
      personas: [],
      ascii_only: false,
      tui: "inline",
      high_contrast: false,
      reduced_motion: false,
      screen_reader: false,
    },
    retry: {
      max_attempts: 5,
      base_delay_ms: 500,
      max_delay_ms: 8000,
      jitter: 0.25,
      max_retry_after_seconds: 60,
      breaker_failures: 5,
      breaker_seconds: 10,
    },
    providers: {},
  });
});

test("the highest layer that sets a key wins, and its origin says so", async () => {
  const user = "[app]\nmodel = 'a/user'\n[presets.p.app]\nmodel = 'a/preset'\n";
  const layers: readonly (readonly [string, Partial<LoadConfigOptions>, (userFile: string) => ConfigOrigin])[] = [
    ["a/user", {}, (name) => ({ layer: "user", file: name, line: 2 })],
    ["a/preset", { preset: "p" }, (name) => ({ layer: "user", file: name, line: 4, preset: "p" })],
    [
      "a/env",
      { preset: "p", env: { CAPSTAN_MODEL: "a/env" } },
      () => ({ layer: "environment", variable: "CAPSTAN_MODEL" }),
    ],
    ["a/set", { env: { CAPSTAN_MODEL: "a/env" }, sets: ["app.model=a/set"] }, () => ({ layer: "flag", flag: "--set" })],
    [
      "a/flag",
      { sets: ["app.model=a/set"], flags: [{ key: "app.model", value: "a/flag", flag: "-m" }] },
      () => ({ layer: "flag", flag: "-m" }),
    ],
  ];
  for (const [expected, options, origin] of layers) {
    const place = configPlace({ user });
    const loaded = await place.load(options);
    expect([loaded.values.app.model, loaded.origins.get("app.model")]).toEqual([expected, origin(place.userFile)]);
  }
});

test("for any choice of layers the highest one counts, and the ones below are remembered in order", async () => {
  const layer = fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(
      fc.record({ user: layer, preset: layer, project: layer, env: layer, set: layer }),
      async (said) => {
        const place = configPlace({
          user: `[limits]\n${costLine(said.user)}[presets.p.limits]\n${costLine(said.preset)}`,
          project: `[limits]\n${costLine(said.project)}`,
        });
        const loaded = await place.load({
          preset: "p",
          env: said.env === undefined ? {} : { CAPSTAN_MAX_COST_USD: String(said.env) },
          sets: said.set === undefined ? [] : [`limits.max_cost_usd=${said.set}`],
        });
        const below = said.preset ?? said.user ?? Infinity;
        const lowered = said.project !== undefined && said.project <= below ? said.project : undefined;
        const expected = [said.user, said.preset, lowered, said.env, said.set].filter((value) => value !== undefined);
        const settled = loaded.keys.get("limits.max_cost_usd");
        expect(settled?.layers.map(({ value }) => value)).toEqual([null, ...expected]);
        expect(loaded.values.limits.max_cost_usd).toBe(expected.at(-1) ?? null);
        expect(loaded.origins.get("limits.max_cost_usd")).toEqual(settled?.layers.at(-1)?.origin);
      },
    ),
    { numRuns: runs(60) },
  );
});

test("lists of rules and of what is forbidden add up over the layers; other lists are replaced", async () => {
  const place = configPlace({
    user: `
[permissions]
deny = ["run_command(rm *)"]
[tools.sandbox]
allowed_roots = [".", "/data"]
denied_patterns = ["**/a/**"]
`,
    project: `[permissions]\ndeny = ["run_command(git push *)", "run_command(rm *)"]\n`,
  });
  const { values, keys } = await place.load({
    sets: ['tools.sandbox.allowed_roots=["."]', "tools.sandbox.denied_patterns=['**/b/**']"],
    flags: [{ key: "permissions.deny", value: ["web_fetch"], flag: "--deny" }],
  });
  expect({ deny: values.permissions.deny, sandbox: values.tools.sandbox }).toEqual({
    deny: ["run_command(rm *)", "run_command(git push *)", "web_fetch"],
    sandbox: {
      allowed_roots: ["."],
      denied_patterns: ["**/a/**", "**/b/**"],
      allow_absolute: true,
      include_default_denies: true,
    },
  });
  expect(keys.get("permissions.deny")?.layers.map(({ origin }) => origin.layer)).toEqual([
    "default",
    "user",
    "project",
    "flag",
  ]);
});

test("a value given as text is read for the type of its key", async () => {
  const cases: readonly (readonly [set: string, read: (values: CapstanConfig) => unknown, expected: unknown])[] = [
    ["app.model=openai/gpt-5.2", (values) => values.app.model, "openai/gpt-5.2"],
    ['app.model = "openai/a=b"', (values) => values.app.model?.trim(), "openai/a=b"],
    ["app.model=true", (values) => values.app.model, "true"],
    ['prompt.system_prompt="', (values) => values.prompt.system_prompt, '"'],
    ["app.ascii_only=true", (values) => values.app.ascii_only, true],
    ["app.ascii_only=0", (values) => values.app.ascii_only, false],
    ["tools.output.max_bytes=1_000", (values) => values.tools.output.max_bytes, 1000],
    ["retry.jitter=0.5", (values) => values.retry.jitter, 0.5],
    ["tools.disabled=['glob', \"search\"]", (values) => values.tools.disabled, ["glob", "search"]],
    ["tools.approval.mode=prompt", (values) => values.tools.approval.mode, "default"],
    ["tools.approval.mode=auto", (values) => values.tools.approval.mode, "permissive"],
    ["tools.approval.mode=deny", (values) => values.tools.approval.mode, "strict"],
    ['models."a/b=c".price_input=1.5', (values) => values.models["a/b=c"]?.price_input, 1.5],
    ["providers.x.body={a={b=[1]}}", (values) => values.providers["x"]?.body, { a: { b: [1] } }],
    ["providers.x.body.seed=7", (values) => values.providers["x"]?.body, { seed: 7 }],
    ["providers.x.body.name=bare", (values) => values.providers["x"]?.body, { name: "bare" }],
    ["providers.x.options.verbosity=low", (values) => values.providers["x"]?.options, { verbosity: "low" }],
    [
      "providers.x.query.api-version=2024-10-21",
      (values) => values.providers["x"]?.query,
      { "api-version": "2024-10-21" },
    ],
    ["providers.x.dialect.strict_tools=1", (values) => values.providers["x"]?.dialect.strict_tools, true],
    ["providers.x.headers.X-A=b", (values) => values.providers["x"]?.headers, { "X-A": "b" }],
  ];
  for (const [set, read, expected] of cases) {
    expect([set, read((await configPlace().load({ sets: [set] })).values)]).toEqual([set, expected]);
  }
});

test("a flag may unset what has no default, and nothing else", async () => {
  const place = configPlace({ user: "[limits]\nmax_cost_usd = 1\n" });
  const flags = [{ key: "limits.max_cost_usd", value: null, flag: "--max-budget-usd" }];
  expect((await place.load({ flags })).values.limits.max_cost_usd).toBe(null);
  expect(await place.failure({ flags: [{ key: "retry.jitter", value: null, flag: "--x" }] })).toEqual({
    code: "usage.invalid",
    message: "flag --x: retry.jitter: expected a number from 0 to 1, found nothing",
  });
});

test("variables of the environment set their keys; empty ones do not", async () => {
  const { values } = await configPlace().load({
    env: {
      CAPSTAN_MODEL: "",
      CAPSTAN_PERMISSION_MODE: "plan",
      CAPSTAN_MAX_OUTPUT_TOKENS: "512",
      https_proxy: "http://lower:1",
      HTTPS_PROXY: "",
      NO_PROXY: "localhost",
      ALL_PROXY: "socks5://last:1",
      SSL_CERT_FILE: "/company.pem",
    },
  });
  expect(values.network.ca_file).toBe("/company.pem");
  expect([values.app, values.permissions.mode, values.network.proxy, values.network.no_proxy]).toEqual([
    {
      model: null,
      provider: null,
      model_fallbacks: [],
      max_output_tokens: 512,
      effort: null,
      personas: [],
      ascii_only: false,
      tui: "inline",
      high_contrast: false,
      reduced_motion: false,
      screen_reader: false,
    },
    "plan",
    "http://lower:1",
    "localhost",
  ]);
});

test("names the user chooses get the defaults of their table, and no name is found that was not given", async () => {
  const place = configPlace({
    user: `
[providers.local]
wire = "openai-chat"
base_url = "http://127.0.0.1:1/v1"
requires_key = false
headers = { "X-One" = "1" }
[models."local/m"]
context_window = 8192
`,
  });
  const { values } = await place.load();
  expect(values.providers).toEqual({
    local: {
      wire: "openai-chat",
      base_url: "http://127.0.0.1:1/v1",
      api_key: null,
      key_header: null,
      key_prefix: null,
      headers: { "X-One": "1" },
      query: {},
      options: {},
      body: {},
      dialect: noDialect,
      summary_model: null,
      requires_key: false,
    },
  });
  const unset = Object.keys(values.models["local/m"] ?? {}).filter((name) => name !== "context_window");
  expect(unset).toContain("price_input");
  expect(values.models["local/m"]).toEqual({
    ...Object.fromEntries(unset.map((name) => [name, null])),
    context_window: 8192,
  });
  expect([values.providers["constructor"], values.api_keys["toString"]]).toEqual([undefined, undefined]);
});

test("in safe mode no file is read, however broken, and flags still count", async () => {
  const place = configPlace({ user: "not toml", project: "[permissions]\ndeny = 3\n" });
  const loaded = await place.load({ safeMode: true, sets: ["app.model=a/b"], preset: "gone" });
  expect([loaded.values.app.model, loaded.files, loaded.warnings]).toEqual([
    "a/b",
    [],
    ["safe mode: no configuration file is read"],
  ]);
});

function costLine(value: number | undefined): string {
  return value === undefined ? "" : `max_cost_usd = ${value}\n`;
}

import { expect, test } from "vitest";
import { configPlace } from "./config-place.ts";

/** The user's file, and the message of the error. */
type Case = readonly [user: string, message: string];

test("an unknown key is named with file, line, and the key that was probably meant", async () => {
  const cases: readonly Case[] = [
    [
      "\n[tools]\nstratgy = 'sequential'\n",
      "/home/config.toml:3: unknown key tools.stratgy; did you mean tools.strategy?",
    ],
    ["[aap]\nmodel = 'x'\n", "/home/config.toml:1: unknown key aap; did you mean app?"],
    ["max_cost_usd = 3\n", "/home/config.toml:1: unknown key max_cost_usd; did you mean limits.max_cost_usd?"],
    ["[presetts.a]\n", "/home/config.toml:1: unknown key presetts; did you mean presets?"],
    ["[providers.x]\nurl = 'http://a'\n", "/home/config.toml:2: unknown key providers.x.url"],
    [
      "[presets.p.tools]\nstratgy = 'x'\n",
      "/home/config.toml:2: unknown key tools.stratgy; did you mean tools.strategy?",
    ],
    ["[app.deep.deeper]\nx = 1\n", "/home/config.toml:1: unknown key app.deep"],
  ];
  for (const [user, message] of cases) {
    expect(await configPlace({ user }).failure()).toEqual({ code: "config.invalid", message });
  }
});

test("a value that does not fit is named with its line, what was expected, and what was found", async () => {
  const cases: readonly Case[] = [
    [
      "[retry]\n\nmax_attempts = 'five'",
      '/home/config.toml:3: retry.max_attempts: expected an integer from 1 to 100, found "five"',
    ],
    [
      "retry = { max_attempts = 0 }",
      "/home/config.toml:1: retry.max_attempts: expected an integer from 1 to 100, found 0",
    ],
    [
      "retry.max_attempts = 1.5",
      "/home/config.toml:1: retry.max_attempts: expected an integer from 1 to 100, found 1.5",
    ],
    ["retry.jitter = nan", "/home/config.toml:1: retry.jitter: expected a number from 0 to 1, found NaN"],
    ["retry.jitter = 2020-01-01", "/home/config.toml:1: retry.jitter: expected a number from 0 to 1, found a date"],
    ["[app]\nascii_only = 'yes'", '/home/config.toml:2: app.ascii_only: expected true or false, found "yes"'],
    ["app = 3", "/home/config.toml:1: app: expected a table"],
    ["[[app]]\nmodel = 'x'", "/home/config.toml:1: app: expected a table"],
    ["[app.model]\nx = 1", "/home/config.toml:1: app.model: expected a string, found a table"],
    [
      "tools.strategy = 'sequental'",
      '/home/config.toml:1: tools.strategy: expected one of sequential, parallel-reads, review, found "sequental"; did you mean sequential?',
    ],
    [
      "anthropic.thinking_budget_tokens = 1023",
      "/home/config.toml:1: anthropic.thinking_budget_tokens: expected an integer from 1024 to 100000000, found 1023",
    ],
    [
      "providers.x.base_url = 'ftp://a'",
      "/home/config.toml:1: providers.x.base_url: expected an address that begins with http:// or https://, found a string",
    ],
    [
      "tools.disabled = 'glob'",
      '/home/config.toml:1: tools.disabled: expected a list of strings such as ["one", "two"], none empty, at most 2000, found "glob"',
    ],
    [
      "providers.x.body = { at = 2020-01-01 }",
      "/home/config.toml:1: providers.x.body: expected a table of plain values, found a table",
    ],
    [
      "[providers.x]\nbody = { messages = [] }",
      "/home/config.toml:2: providers.x.body: messages is what Capstan itself fills in, and cannot be set",
    ],
    [
      "[providers.x.options]\nverbosty = 'low'",
      "/home/config.toml:2: providers.x.options: unknown option verbosty; did you mean verbosity?; fields of the request's body go into [providers.NAME.body]",
    ],
    [
      "[providers.x.options]\nseed = 1",
      "/home/config.toml:2: providers.x.options: unknown option seed; fields of the request's body go into [providers.NAME.body]",
    ],
    [
      "[providers.x.dialect]\nthink_tags = 'yes'",
      '/home/config.toml:2: providers.x.dialect.think_tags: expected one of off, on, auto, found "yes"',
    ],
    [
      "[providers.x]\nthink_tags = 'auto'",
      "/home/config.toml:2: unknown key providers.x.think_tags; did you mean providers.NAME.dialect.think_tags?",
    ],
    ["[presets]\np = 3", "/home/config.toml:2: presets.p: expected a table"],
  ];
  for (const [user, message] of cases) {
    expect(await configPlace({ user }).failure()).toEqual({ code: "config.invalid", message });
  }
});

test("a wrong rule is named by its number and the line of the field", async () => {
  const good = "[[permissions.rules]]\nverdict = 'deny'\ntool = 'x'\n";
  const cases: readonly Case[] = [
    [
      `${good}[[permissions.rules]]\ntool = 'x'\nverdict = 'maybe'`,
      ruleProblem(6, "verdict: expected one of allow, ask, deny"),
    ],
    [`${good}[[permissions.rules]]\nverdict = 'ask'`, ruleProblem(4, "tool is missing")],
    [
      `${good}[[permissions.rules]]\nverdict = 'ask'\ntool = 'x'\ncomand = 'y'`,
      ruleProblem(7, "unknown field comand; did you mean command?"),
    ],
    [
      `${good}[[permissions.rules]]\nverdict = 'ask'\ntool = ''`,
      ruleProblem(6, 'tool: expected a string, or a list of strings, found ""'),
    ],
  ];
  for (const [user, message] of cases) {
    expect(await configPlace({ user }).failure()).toEqual({ code: "config.invalid", message });
  }
});

test("several problems are listed at once, and very many are counted", async () => {
  const cases: readonly Case[] = [
    [
      "[app]\nmodle = 'x'\nascii_only = 1\n[retry]\njitter = 3\n",
      [
        "3 problems in the configuration:",
        "/home/config.toml:2: unknown key app.modle; did you mean app.model?",
        "/home/config.toml:3: app.ascii_only: expected true or false, found 1",
        "/home/config.toml:5: retry.jitter: expected a number from 0 to 1, found 3",
      ].join("\n  "),
    ],
  ];
  for (const [user, message] of cases) {
    expect(await configPlace({ user }).failure()).toEqual({ code: "config.invalid", message });
  }
  const many = await configPlace({
    user: Array.from({ length: 50 }, (_, index) => `zz${index} = 1\n`).join(""),
  }).failure();
  expect([many.message.split("\n").length, many.message.split("\n").at(-1)]).toEqual([22, "  and 30 more"]);
});

test("broken TOML is named with line and column, and its text, which may hold a key, is not repeated", async () => {
  const broken = await configPlace({ user: '[app]\nmodel = "sk-secret\n' }).failure();
  expect(broken).toEqual({
    code: "config.syntax",
    message: "/home/config.toml:2:19: not valid TOML: control characters are not allowed in strings",
  });
  const place = configPlace({ user: "[api_keys]\nopenai = 'sk-secret\n" });
  await expect(place.load()).rejects.toSatisfy((error: unknown) => !inspected(error).includes("sk-secret"));
});

test("names from a file cannot steer a terminal", async () => {
  const cases: readonly Case[] = [
    ['"a\\u001b[2J\\u202e" = 1', '/home/config.toml:1: unknown key "\\"a\\\\u001b[2J\\u202e\\""'],
  ];
  for (const [user, message] of cases) {
    expect(await configPlace({ user }).failure()).toEqual({ code: "config.invalid", message });
  }
});

test("problems of flags and variables name them", async () => {
  const place = configPlace();
  const failure = await place.failure({
    env: { CAPSTAN_PERMISSION_MODE: "yolo", CAPSTAN_MAX_OUTPUT_TOKENS: "many" },
    sets: ["app.modle=x", "nonsense", "api_keys.openai=[1]", "=x", "tools.disabled=glob"],
    flags: [{ key: "permissions.mode", value: "autoo", flag: "--permission-mode" }],
  });
  expect(failure.message.split("\n  ").slice(1)).toEqual([
    'variable CAPSTAN_MAX_OUTPUT_TOKENS: app.max_output_tokens: expected an integer from 1 to 100000000, found "many"',
    'variable CAPSTAN_PERMISSION_MODE: permissions.mode: expected one of plan, default, accept-edits, auto, found "yolo"',
    "flag --set: unknown key app.modle; did you mean app.model?",
    "flag --set: expected KEY=VALUE",
    'flag --set: expected KEY=VALUE, found ""=…',
    'flag --set: tools.disabled: expected a list of strings such as ["one", "two"], none empty, at most 2000, found "glob"',
    'flag --permission-mode: permissions.mode: expected one of plan, default, accept-edits, auto, found "autoo"; did you mean auto?',
  ]);
});

function ruleProblem(line: number, problem: string): string {
  return `/home/config.toml:${line}: permissions.rules: rule 2: ${problem}`;
}

function inspected(error: unknown): string {
  const parts: unknown[] = [];
  for (let at = error; at instanceof Error; at = at.cause) parts.push(at.message, at.stack, JSON.stringify(at));
  return parts.join("\n");
}

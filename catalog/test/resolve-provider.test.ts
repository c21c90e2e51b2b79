import { AppError } from "@capstan/protocol";
import { expect, test } from "vitest";
import {
  type Environment,
  providersWithKeys,
  requireKey,
  type ResolvedProvider,
  resolveProvider,
} from "../src/resolve-provider.ts";
import { configPlace } from "../../settings/test/config/config-place.ts";

async function resolve(name: string, user = "", env: Environment = {}): Promise<ResolvedProvider> {
  return resolveProvider(name, (await configPlace({ user }).load({ env })).values, env);
}

async function failure(name: string, user = "", env: Environment = {}): Promise<AppError> {
  try {
    await resolve(name, user, env);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error(`${name} was accepted`);
}

function table(lines: string, name = "mine"): string {
  return `[providers.${name}]\n${lines}\n`;
}

function tableAt(url: string): string {
  return table(`wire = "anthropic"\nbase_url = "${url}"`);
}

test("vendors known by name are where they always are, unless their variable says otherwise", async () => {
  expect(await resolve("anthropic", "", { ANTHROPIC_API_KEY: "a" })).toEqual({
    name: "anthropic",
    wire: "anthropic",
    baseUrl: "https://api.anthropic.com",
    apiKey: "a",
    keyHint: "Set ANTHROPIC_API_KEY, or [api_keys] anthropic in your configuration.",
    keyHeader: undefined,
    headers: {},
    query: {},
    body: {},
    options: expect.any(Object),
  });
  const places = { OPENAI_BASE_URL: "http://127.0.0.1:1/v1", OPENAI_API_KEY: "o", ANTHROPIC_BASE_URL: "" };
  expect(await resolve("openai-chat", "", places)).toMatchObject({ baseUrl: "http://127.0.0.1:1/v1", apiKey: "o" });
  expect(await resolve("anthropic", "", places)).toMatchObject({
    baseUrl: "https://api.anthropic.com",
    apiKey: undefined,
  });
});

test("a key of the configuration counts before the environment's", async () => {
  const { apiKey } = await resolve("anthropic", '[api_keys]\nanthropic = "file"\n', { ANTHROPIC_API_KEY: "variable" });
  expect(apiKey).toBe("file");
});

test("a vendor at an address of the configuration has no key of the environment, and its hint says where a key goes", async () => {
  const moved = table('base_url = "https://gateway.example"', "anthropic");
  expect(await resolve("anthropic", moved, { ANTHROPIC_API_KEY: "variable" })).toMatchObject({
    apiKey: undefined,
    keyHint: expect.stringContaining('Set api_key = "${ANTHROPIC_API_KEY}" in [providers.anthropic]'),
  });
});

test("an own provider has its own address, key, headers and options, and nobody else's key", async () => {
  const user = table(
    [
      'wire = "openai-chat"\nbase_url = "https://mine.example/v1"\nheaders = { X-Team = "a" }',
      'options = { verbosity = "low" }\nbody = { seed = 1 }\nquery = { v = "1" }\nkey_header = "api-key"',
    ].join("\n"),
  );
  expect(await resolve("mine", user, { OPENAI_API_KEY: "o", OPENAI_BASE_URL: "https://other.example" })).toMatchObject({
    wire: "openai-chat",
    baseUrl: "https://mine.example/v1",
    apiKey: undefined,
    keyHint: "Set api_key in [providers.mine] of your configuration.",
    headers: { "X-Team": "a" },
    options: { verbosity: "low" },
    body: { seed: 1 },
    query: { v: "1" },
    keyHeader: { name: "api-key", prefix: "" },
  });
});

test("the key's prefix is the usual one of its header, unless another is set", async () => {
  const address = 'wire = "openai-chat"\nbase_url = "https://mine.example"\n';
  const cases: readonly (readonly [string, unknown])[] = [
    ["", undefined],
    ['key_header = "Authorization"', { name: "Authorization", prefix: "Bearer " }],
    ['key_header = "authorization"\nkey_prefix = ""', { name: "authorization", prefix: "" }],
    ['key_prefix = "Token "', { name: "authorization", prefix: "Token " }],
    ['key_header = "X-Key"\nkey_prefix = "k "', { name: "X-Key", prefix: "k " }],
  ];
  for (const [lines, keyHeader] of cases) {
    expect([lines, (await resolve("mine", table(address + lines))).keyHeader]).toEqual([lines, keyHeader]);
  }
});

test("a dialect is what its table says, before older options, and cautious where nothing is said", async () => {
  const address = 'wire = "openai-chat"\nbase_url = "https://mine.example"\n';
  const usual = { think_tags: "auto", text_tool_calls: "auto" };
  expect((await resolve("mine", table(address))).options).toEqual(usual);
  const lines =
    'options = { strict_tools = false, stream_usage = false }\n[providers.mine.dialect]\nstrict_tools = true\nthink_tags = "off"';
  expect((await resolve("mine", table(address + lines))).options).toEqual({
    ...usual,
    think_tags: "off",
    stream_usage: false,
    strict_tools: true,
  });
});

test("OpenAI itself reads its own calls; whoever stands in its place may not", async () => {
  expect((await resolve("openai-chat")).options).toEqual({});
  const elsewhere = table('base_url = "http://127.0.0.1:1/v1"', "openai-chat");
  expect((await resolve("openai-chat", elsewhere)).options).toEqual({ think_tags: "auto", text_tool_calls: "auto" });
  expect(
    (await resolve("mine", table('wire = "openai-responses"\nbase_url = "https://mine.example"'))).options,
  ).toEqual({});
});

test("a vendor's settings reach only the wire they are for", async () => {
  const user = `[anthropic]\nthinking = "off"\neffort = "low"\n[openai]\nverbosity = "high"\n`;
  expect((await resolve("anthropic", user)).options).toMatchObject({ thinking: "disabled", thinking_effort: "low" });
  expect((await resolve("openai-chat", user)).options).toEqual({ verbosity: "high" });
});

test("plain http is for this machine only, however it is written", async () => {
  for (const url of [
    "http://localhost:1",
    "http://127.0.0.1",
    "http://127.1.2.3:80/x",
    "http://[::1]:9",
    "https://far.example",
  ])
    expect((await resolve("mine", tableAt(url))).baseUrl).toBe(url);
  for (const host of [
    "far.example",
    "192.168.0.1",
    "localhost.far.example",
    "127.0.0.1.far.example",
    "0.0.0.0",
    "[::ffff:7f00:1]",
  ])
    expect(await failure("anthropic", "", { ANTHROPIC_BASE_URL: `http://user:secret@${host}/` })).toMatchObject({
      code: "config.invalid",
      message: `the base URL of anthropic is plain http to ${host}; keys would travel in the clear`,
    });
});

test("what is no web address is refused", async () => {
  for (const url of ["far.example", "ftp://far.example", "file:///etc/passwd", "https://", "javascript:1"])
    expect(await failure("anthropic", "", { ANTHROPIC_BASE_URL: url })).toMatchObject({ code: "config.invalid" });
  expect(await failure("mine", table('wire = "anthropic"'))).toMatchObject({
    code: "config.invalid",
    message: "[providers.mine] needs a base_url",
  });
});

test("an unknown name is reported with the known ones", async () => {
  expect(await failure("nobody", table('wire = "anthropic"\nbase_url = "https://mine.example"'))).toMatchObject({
    code: "model.unknown",
    message: 'no provider is named "nobody"',
    hint: "Known providers: anthropic, openai, openai-chat, google, mine. Others go into [providers.NAME] of your configuration, with wire and base_url.",
  });
});

test("a slip of the keyboard is answered with the name that was probably meant", async () => {
  expect(await failure("antropic")).toMatchObject({
    message: 'no provider is named "antropic"; did you mean anthropic?',
  });
});

test("a missing key is found before anything is started, except for servers that need none", async () => {
  expect(() => requireKey(provider({}))).toThrow(
    expect.objectContaining({ code: "provider.auth", message: "no key is set for mine", hint: "how" }),
  );
  for (const fine of [
    { apiKey: "k" },
    { baseUrl: "http://127.0.0.1:1" },
    { baseUrl: "http://localhost" },
    { options: { requires_key: false } },
  ])
    expect(() => requireKey(provider(fine))).not.toThrow();
});

test("a server that needs no key says so in its table", async () => {
  const resolved = await resolve(
    "mine",
    table('wire = "openai-chat"\nbase_url = "https://mine.example"\nrequires_key = false'),
  );
  expect(() => requireKey(resolved)).not.toThrow();
  expect(resolved.keyHint).toBe("The server of [providers.mine] wants a key: set api_key there.");
});

test("providers with a key come in the order of preference", async () => {
  const config = (await configPlace({ user: '[api_keys]\nopenai = "o"\n' }).load()).values;
  expect(providersWithKeys(config, {})).toEqual(["openai", "openai-chat"]);
  expect(providersWithKeys(config, { ANTHROPIC_API_KEY: "a" })).toEqual(["anthropic", "openai", "openai-chat"]);
  expect(providersWithKeys(config, { ANTHROPIC_API_KEY: "" })).toEqual(["openai", "openai-chat"]);
});

function provider(more: Partial<ResolvedProvider>): ResolvedProvider {
  return {
    name: "mine",
    wire: "anthropic",
    baseUrl: "https://mine.example",
    apiKey: undefined,
    keyHint: "how",
    keyHeader: undefined,
    headers: {},
    query: {},
    body: {},
    options: {},
    ...more,
  };
}

import { AppError } from "@capstan/protocol";
import { createProvider } from "@capstan/providers";
import { expect, test } from "vitest";
import { type ListedModel, listModels, type ListOptions, type ModelList } from "../src/list-models.ts";
import { configPlace, plainSettings } from "../../settings/test/config/config-place.ts";
import { serveJson } from "./catalog-server.ts";

interface Place {
  readonly user?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly options?: Partial<ListOptions>;
}

async function list({ user = "", env = {}, options = {} }: Place): Promise<ModelList> {
  const place = configPlace({ user });
  const settings = await plainSettings(place, { env: { CAPSTAN_HOME: place.home, ...env } });
  return listModels(settings, { all: false, signal: new AbortController().signal, ...options }, { createProvider });
}

async function failure(place: Place): Promise<unknown> {
  return list(place).then(
    () => "listed",
    (error: unknown) => (error instanceof AppError ? `${error.code}: ${error.message}` : error),
  );
}

function names(models: readonly ListedModel[]): readonly string[] {
  return models.map(({ provider, id, source, isDefault }) => `${provider}/${id} ${source}${isDefault ? " *" : ""}`);
}

/** Nobody listens on port 1. */
const nowhere = "http://127.0.0.1:1";

test("every vendor with a key is asked, and what it says is completed from the catalog", async () => {
  const { url } = await serveJson({
    "/v1/models": {
      data: [
        { id: "claude-sonnet-5-5", display_name: "Sonnet" },
        { id: "claude-new", max_tokens: 7 },
      ],
    },
    "/v1beta/models": {
      models: [{ name: "models/gemini-2.5-pro", supportedGenerationMethods: ["generateContent"], outputTokenLimit: 5 }],
    },
  });
  const env = { ANTHROPIC_API_KEY: "a", ANTHROPIC_BASE_URL: url, GEMINI_API_KEY: "g", GEMINI_BASE_URL: url };
  const { models, silent } = await list({ env });
  expect(names(models)).toEqual([
    "anthropic/claude-sonnet-5-5 vendor *",
    "anthropic/claude-new vendor",
    "google/gemini-2.5-pro vendor",
  ]);
  expect(models[0]).toEqual({
    provider: "anthropic",
    id: "claude-sonnet-5-5",
    name: "Sonnet",
    contextWindowTokens: 1_000_000,
    maxOutputTokens: 128_000,
    prices: { input: 2, output: 10, cachedInput: 0.1, cacheWrite: 2.5 },
    inputs: ["image", "pdf"],
    thinking: "adaptive",
    source: "vendor",
    isDefault: true,
  });
  expect(models[1]).toEqual({
    provider: "anthropic",
    id: "claude-new",
    maxOutputTokens: 7,
    source: "vendor",
    isDefault: false,
  });
  expect([models[2]?.maxOutputTokens, models[2]?.prices?.longPrompt?.length]).toEqual([5, 1]);
  expect(silent).toEqual([]);
});

test("a vendor that does not answer is named with the reason, and the catalog's models stand in", async () => {
  const { models, silent } = await list({ env: { ANTHROPIC_API_KEY: "a", ANTHROPIC_BASE_URL: nowhere } });
  expect(names(models)).toContain("anthropic/claude-sonnet-5-5 catalog *");
  expect(models.some(({ id }) => id === "claude-opus-4" || id.includes("*"))).toBe(false);
  expect(silent).toEqual([
    {
      provider: "anthropic",
      message: `cannot reach ${nowhere}: connect ECONNREFUSED 127.0.0.1:1`,
      fromCatalog: true,
    },
  ]);
});

test("a server of the user's own is asked without a key; what the configuration says of its models counts most", async () => {
  const { url } = await serveJson({ "/v1/models": { data: [{ id: "qwen", max_model_len: 32_768 }] } });
  const configured = '[models."local/qwen"]\nprice_input = 1.0\nprice_output = 2.0\ncontext_window = 16384\n';
  const table = (address: string): string =>
    `[app]\nmodel = "local/qwen"\n[providers.local]\nwire = "openai-chat"\nbase_url = "${address}/v1"\n${configured}`;
  const answered = await list({ user: table(url) });
  expect(answered.models).toEqual([
    {
      provider: "local",
      id: "qwen",
      contextWindowTokens: 16_384,
      prices: { input: 1, output: 2 },
      source: "vendor",
      isDefault: true,
    },
  ]);
  const silent = await list({ user: table(nowhere) });
  expect(names(silent.models)).toEqual(["local/qwen configuration *"]);
});

test("OpenAI's models are listed once for its two wires, and without those one cannot talk with", async () => {
  const ids = [
    "gpt-5.2",
    "text-embedding-3-small",
    "tts-1",
    "whisper-1",
    "dall-e-3",
    "gpt-image-1",
    "omni-moderation-latest",
  ];
  const more = ["gpt-realtime", "gpt-4o-audio-preview", "gpt-4o-transcribe", "sora-2", "chatgpt-4o-latest"];
  const { url, asked } = await serveJson({ "/v1/models": { data: [...ids, ...more].map((id) => ({ id })) } });
  const env = { OPENAI_API_KEY: "o", OPENAI_BASE_URL: `${url}/v1` };
  const shown = await list({ env });
  expect(names(shown.models)).toEqual(["openai/gpt-5.2 vendor *", "openai/chatgpt-4o-latest vendor"]);
  expect([shown.alsoAs, asked]).toEqual([{ openai: ["openai-chat"] }, ["/v1/models"]]);
  expect((await list({ env, options: { all: true } })).models.length).toBe(ids.length + more.length);
  const chat = await list({ env, options: { provider: "openai-chat" } });
  expect([names(chat.models)[0], chat.alsoAs]).toEqual(["openai-chat/gpt-5.2 vendor", {}]);
});

test("a provider nobody could ask is named beside those who answer, and is the error where there is no other", async () => {
  const user = '[providers.far]\nwire = "openai-chat"\nbase_url = "http://far.example/v1"\n';
  const message = "the base URL of far is plain http to far.example; keys would travel in the clear";
  const { silent } = await list({ user, env: { ANTHROPIC_API_KEY: "a", ANTHROPIC_BASE_URL: nowhere } });
  expect(silent.at(-1)).toEqual({ provider: "far", message, fromCatalog: false });
  expect(await failure({ user })).toBe(`config.invalid: ${message}`);
});

test("a filter keeps the models in whose name it occurs", async () => {
  const env = { ANTHROPIC_API_KEY: "a", ANTHROPIC_BASE_URL: nowhere };
  const { models } = await list({ env, options: { filter: "HAIKU-5" } });
  expect(names(models)).toEqual(["anthropic/claude-haiku-5-5 catalog"]);
});

test("without any key, or with one missing for the provider that is meant, the error says how to set it", async () => {
  expect(await failure({})).toBe("model.none: no provider has a key");
  expect(await failure({ options: { provider: "google" } })).toBe("provider.auth: no key is set for google");
  expect(await failure({ options: { provider: "nobody" } })).toBe('model.unknown: no provider is named "nobody"');
});

test("a stop ends the question with its own reason", async () => {
  const env = { ANTHROPIC_API_KEY: "a", ANTHROPIC_BASE_URL: nowhere };
  expect(await failure({ env, options: { signal: AbortSignal.abort("stopped") } })).toBe("stopped");
});

import { expect, test } from "vitest";
import { openCatalog } from "../src/model-catalog.ts";
import { familyOf, isNewer } from "../src/names/model-family.ts";
import { modelNamedBy } from "../src/names/model-names.ts";
import { configPlace } from "../../settings/test/config/config-place.ts";

const models = (...ids: readonly string[]): object => Object.fromEntries(ids.map((id) => [id, {}]));
const catalog = openCatalog(undefined, {
  anthropic: {
    ...models("claude-sonnet-4-5", "claude-sonnet-5", "claude-sonnet-5-5", "claude-opus-5", "claude-haiku-4-5"),
    "claude-sonnet-9": { listed: false },
  },
  openai: models("gpt-4o", "gpt-4o-2024-05-13", "gpt-5", "gpt-5.2", "gpt-5.10", "gpt-5.2-codex", "gpt-5-mini", "o3"),
  google: models("gemini-2.5-pro", "gemini-3-pro-preview", "gemini-3-flash", "gemini-pro-latest"),
});

const anthropicKey = { ANTHROPIC_API_KEY: "a" };

async function named(text: string, user = "", env: Readonly<Record<string, string>> = anthropicKey): Promise<string> {
  const { values: config } = await configPlace(user === "" ? {} : { user }).load({ env });
  const { provider, id } = modelNamedBy(text, { config, env, catalog });
  return `${provider}/${id}`;
}

test.each([
  ["sonnet", "anthropic/claude-sonnet-5-5"],
  ["Sonnet", "anthropic/claude-sonnet-5-5"],
  ["claude-sonnet", "anthropic/claude-sonnet-5-5"],
  ["claude", "anthropic/claude-sonnet-5-5"],
  ["opus", "anthropic/claude-opus-5"],
  ["haiku", "anthropic/claude-haiku-4-5"],
  ["gpt", "openai/gpt-5.10"],
  ["gpt-mini", "openai/gpt-5-mini"],
  ["codex", "openai/gpt-5.2-codex"],
  ["gemini", "google/gemini-3-pro-preview"],
  ["flash", "google/gemini-3-flash"],
])("%s is the newest of its family in the catalog", async (text, expected) => {
  await expect(named(text)).resolves.toBe(expected);
});

test.each([
  ["claude-sonnet-4-5", "anthropic/claude-sonnet-4-5"],
  ["sonnet-4-5", "anthropic/claude-sonnet-4-5"],
  ["o3", "openai/o3"],
  ["gpt-4o", "openai/gpt-4o"],
  // Came out after the catalog.
  ["gpt-6", "openai/gpt-6"],
  ["claude-opus-7-1", "anthropic/claude-opus-7-1"],
])("%s without a slash is that model, of whoever makes it", async (text, expected) => {
  await expect(named(text)).resolves.toBe(expected);
});

test.each([
  ["claude/opus", "anthropic/claude-opus-5"],
  ["claude/sonnet-4-5", "anthropic/claude-sonnet-4-5"],
  ["gpt/5.2", "openai/gpt-5.2"],
  ["gemini/gemini-2.5-pro", "google/gemini-2.5-pro"],
  ["anthropic/sonnet", "anthropic/claude-sonnet-5-5"],
  ["anthropic/rehearsal", "anthropic/rehearsal"],
  ["openai-chat/anything", "openai-chat/anything"],
  ["local/sonnet", "local/sonnet"],
])("%s: before a slash stands a provider, or what its vendor is called", async (text, expected) => {
  await expect(named(text)).resolves.toBe(expected);
});

test("what the user configured comes first: a provider called like a vendor, a model of their own, their provider", async () => {
  const own = '[providers.claude]\nwire = "openai-chat"\nbase_url = "http://127.0.0.1:1/v1"\n';
  await expect(named("claude/opus", own)).resolves.toBe("claude/opus");
  await expect(named("qwen3", '[models."local/qwen3"]\ncontext_window = 1000\n')).resolves.toBe("local/qwen3");
  const mine = '[app]\nprovider = "mine"\n[providers.mine]\nwire = "anthropic"\nbase_url = "https://mine.example"\n';
  await expect(named("sonnet", mine)).resolves.toBe("mine/sonnet");
  await expect(named("sonnet", '[app]\nprovider = "claude"\n')).resolves.toBe("anthropic/claude-sonnet-5-5");
  await expect(named("gpt", '[app]\nprovider = "anthropic"\n')).resolves.toBe("openai/gpt-5.10");
  const gateway = '[providers.work]\nwire = "anthropic"\nbase_url = "https://api.anthropic.com"\napi_key = "k"\n';
  await expect(named("opus", gateway, {})).resolves.toBe("work/claude-opus-5");
});

test("a name that means nothing is refused with what is nearest", async () => {
  const code = "model.unknown";
  await expect(named("sonet")).rejects.toMatchObject({
    code,
    message: expect.stringContaining("did you mean sonnet?"),
  });
  await expect(named("claude-sonet-5")).rejects.toMatchObject({
    code,
    message: expect.stringContaining("did you mean claude-sonnet-5?"),
  });
  await expect(named("just-a-name")).rejects.toMatchObject({ code, hint: "Try: capstan models" });
});

test("versions are numbers, and a dated release is of no family", () => {
  expect(familyOf("claude-sonnet-4-5")).toEqual({ name: "claude-sonnet", version: [4, 5] });
  expect(familyOf("gemini-3.1-pro-preview")).toEqual({ name: "gemini-pro", version: [3, 1] });
  expect(familyOf("gpt-4o-2024-05-13")).toBeUndefined();
  expect([isNewer("gpt-5.10", "gpt-5.9"), isNewer("gpt-5", "gpt-5.1")]).toEqual([true, false]);
  expect([isNewer("x-3", "x-3-preview"), isNewer("x-3-preview", "x-3")]).toEqual([true, false]);
});

import { expect, test } from "vitest";
import { builtInProviders } from "../src/built-in-providers.ts";
import { findModel, withSizes } from "../src/known-models.ts";
import { openCatalog, openWholeCatalog } from "../src/model-catalog.ts";
import { vendorOf } from "../src/vendors.ts";
import { configPlace } from "../../settings/test/config/config-place.ts";

const catalog = openCatalog();

/** Window, longest answer and input price. */
function check(
  id: string,
  expected: readonly [window: number, output: number, price: number | undefined],
  vendor = "somebody",
): void {
  const { contextWindowTokens, maxOutputTokens, prices } = withSizes(findModel(id, vendor, catalog) ?? {});
  expect([id, contextWindowTokens, maxOutputTokens, prices?.input]).toEqual([id, ...expected]);
}

test("the longest known beginning of an id counts", () => {
  check("claude-sonnet-4-5", [200_000, 64_000, 3]);
  check("claude-sonnet-4-5-20250929", [200_000, 64_000, 3]);
  check("claude-sonnet-4-20250514", [200_000, 64_000, 3]);
  check("claude-opus-4-1-20250805", [200_000, 32_000, 15]);
  check("claude-opus-4-5-20251101", [200_000, 64_000, 5]);
  check("claude-opus-4-5@20251101", [200_000, 64_000, 5]);
  check("gpt-5", [400_000, 128_000, 1.25]);
  check("gpt-5-mini-2025-08-07", [400_000, 128_000, 0.25]);
  check("gpt-5.2-2025-12-11", [400_000, 128_000, 1.75]);
  check("gpt-4o-mini-2024-07-18", [128_000, 16_384, 0.15]);
  check("gemini-3-pro-preview-11-2025", [1_048_576, 65_536, 2]);
});

test("gateways' prefixes are looked through, their dots are hyphens, and case does not matter", () => {
  check("anthropic/claude-sonnet-4-5", [200_000, 64_000, 3]);
  check("anthropic/claude-sonnet-5.5", [1_000_000, 128_000, 2]);
  check("some/where/GPT-5-Mini", [400_000, 128_000, 0.25]);
});

test("a vendor's own models come first, by their whole id", async () => {
  const id = "openai/gpt-oss-120b";
  check(id, [32_768, 8192, undefined]);
  expect(findModel(id, "groq", await openWholeCatalog(configPlace().home))).toMatchObject({
    id,
    contextWindowTokens: 131_072,
  });
  expect(findModel("deepseek-v4-flash", "deepseek", catalog)?.prices).toBeDefined();
  expect(findModel("deepseek-v4-flash", "local", catalog)).toBeUndefined();
});

test("a model that only begins alike is not known, and has no prices", () => {
  for (const id of [
    "claude-sonnet-45",
    "gpt-5.9",
    "gpt-50",
    "gpt",
    "claude",
    "qwen3-coder",
    "",
    "constructor",
    "__proto__",
  ])
    check(id, [32_768, 8192, undefined]);
  for (const vendor of ["", "constructor", "__proto__"]) check("anything", [32_768, 8192, undefined], vendor);
  // What `capstan rehearse` says it is takes whatever it is sent.
  check("rehearsal", [128_000, 16_384, undefined]);
});

test("a newer model whose prices nobody could look up has its sizes, and not its family's prices", () => {
  check("claude-fable-5-2", [1_000_000, 128_000, undefined]);
  check("gpt-5.1-mini", [400_000, 128_000, undefined]);
});

test("the model that runs when none is named is one that is listed, with prices", () => {
  for (const provider of Object.values(builtInProviders)) {
    const vendor = vendorOf({ name: provider.keyName, baseUrl: provider.baseUrl });
    const model = findModel(provider.defaultModel, vendor, catalog);
    expect(model).toMatchObject({ id: provider.defaultModel, listed: true, prices: { input: expect.any(Number) } });
  }
});

test("what long prompts cost, and how a Claude can be asked to think, is part of what is known", () => {
  expect(findModel("gemini-2.5-pro", "google", catalog)?.prices).toEqual({
    input: 1.25,
    output: 10,
    cachedInput: 0.125,
    longPrompt: [{ input: 2.5, output: 15, cachedInput: 0.25, aboveTokens: 200_000 }],
  });
  const thinking = (id: string): unknown => findModel(id, "anthropic", catalog)?.thinking;
  expect(["claude-haiku-4-5", "claude-sonnet-4-6", "claude-opus-4-7", "claude-sonnet-5-5"].map(thinking)).toEqual([
    "budget",
    "both",
    "adaptive",
    "adaptive",
  ]);
});

import type { ModelPrices } from "@capstan/protocol";

export interface KnownModel {
  readonly contextWindowTokens: number;
  readonly maxOutputTokens: number;
  readonly prices?: ModelPrices;
}

/** By the beginning of the model's id, longest first match wins. Tokens; USD per million tokens, list prices as of November 2026 (Gemini: up to 200,000 tokens of prompt). */
const knownModels: Readonly<Record<string, KnownModel>> = {
  "claude-opus-4": {
    contextWindowTokens: 200_000,
    maxOutputTokens: 32_000,
    prices: { input: 15, output: 75, cachedInput: 1.5, cacheWrite: 18.75 },
  },
  "claude-opus-4-5": {
    contextWindowTokens: 200_000,
    maxOutputTokens: 64_000,
    prices: { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25 },
  },
  "claude-sonnet-4": {
    contextWindowTokens: 200_000,
    maxOutputTokens: 64_000,
    prices: { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
  },
  "claude-haiku-4-5": {
    contextWindowTokens: 200_000,
    maxOutputTokens: 64_000,
    prices: { input: 1, output: 5, cachedInput: 0.1, cacheWrite: 1.25 },
  },
  "gpt-5": {
    contextWindowTokens: 400_000,
    maxOutputTokens: 128_000,
    prices: { input: 1.25, output: 10, cachedInput: 0.125 },
  },
  "gpt-5.2": {
    contextWindowTokens: 400_000,
    maxOutputTokens: 128_000,
    prices: { input: 1.75, output: 14, cachedInput: 0.175 },
  },
  "gpt-5-mini": {
    contextWindowTokens: 400_000,
    maxOutputTokens: 128_000,
    prices: { input: 0.25, output: 2, cachedInput: 0.025 },
  },
  "gpt-5-nano": {
    contextWindowTokens: 400_000,
    maxOutputTokens: 128_000,
    prices: { input: 0.05, output: 0.4, cachedInput: 0.005 },
  },
  "gemini-3-pro": {
    contextWindowTokens: 1_048_576,
    maxOutputTokens: 65_536,
    prices: { input: 2, output: 12, cachedInput: 0.2 },
  },
  "gemini-3.1-pro": {
    contextWindowTokens: 1_048_576,
    maxOutputTokens: 65_536,
    prices: { input: 2, output: 12, cachedInput: 0.2 },
  },
  "gemini-3-flash": {
    contextWindowTokens: 1_048_576,
    maxOutputTokens: 65_536,
    prices: { input: 0.5, output: 3, cachedInput: 0.05 },
  },
  "gemini-2.5-pro": {
    contextWindowTokens: 1_048_576,
    maxOutputTokens: 65_536,
    prices: { input: 1.25, output: 10, cachedInput: 0.125 },
  },
  "gemini-2.5-flash": {
    contextWindowTokens: 1_048_576,
    maxOutputTokens: 65_536,
    prices: { input: 0.3, output: 2.5, cachedInput: 0.03 },
  },
  "gemini-2.5-flash-lite": {
    contextWindowTokens: 1_048_576,
    maxOutputTokens: 65_536,
    prices: { input: 0.1, output: 0.4, cachedInput: 0.01 },
  },
  "gpt-4.1": {
    contextWindowTokens: 1_047_576,
    maxOutputTokens: 32_768,
    prices: { input: 2, output: 8, cachedInput: 0.5 },
  },
  "gpt-4o": {
    contextWindowTokens: 128_000,
    maxOutputTokens: 16_384,
    prices: { input: 2.5, output: 10, cachedInput: 1.25 },
  },
};

/** A model nobody told us about: sizes that today's servers accept, and no prices. */
const unknownModel: KnownModel = { contextWindowTokens: 128_000, maxOutputTokens: 16_384 };

/** What is known about a model by its vendor id; gateways' prefixes (`vendor/model`) are looked through. */
export function knownModel(id: string): KnownModel {
  const name = id.slice(id.lastIndexOf("/") + 1).toLowerCase();
  const match = Object.keys(knownModels)
    .filter((prefix) => name === prefix || name.startsWith(`${prefix}-`))
    .toSorted((a, b) => b.length - a.length)[0];
  return (match === undefined ? undefined : knownModels[match]) ?? unknownModel;
}

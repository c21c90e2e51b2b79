import type { ConfigPath } from "./capstan-config.ts";
import { choice, type ConfigKey, integer, maxTokens, number, stringList, url } from "./config-key.ts";

type Section = "models" | "catalog";

/** Keys about what is known of models. */
export const catalogKeys: Readonly<Record<Extract<ConfigPath, `${Section}.${string}`>, ConfigKey>> = {
  "models.*.context_window": {
    type: integer(1, maxTokens),
    default: null,
    about: "Tokens the model can read and write in one call.",
    example: 131_072,
  },
  "models.*.max_output_tokens": {
    type: integer(1, maxTokens),
    default: null,
    about: "Tokens the model can write in one call.",
    example: 16_384,
  },
  "models.*.price_input": price("USD per million tokens read."),
  "models.*.price_output": price("USD per million tokens written."),
  "models.*.price_cached_input": price("USD per million tokens read from the vendor's cache."),
  "models.*.price_cache_write": price("USD per million tokens written to the vendor's cache."),
  "models.*.long_prompt_tokens": {
    type: integer(1, maxTokens),
    default: null,
    about: "Tokens of a prompt above which the whole call costs what `long_price_…` says.",
    example: 200_000,
  },
  "models.*.long_price_input": price("USD per million tokens read, after a long prompt."),
  "models.*.long_price_output": price("USD per million tokens written, after a long prompt."),
  "models.*.long_price_cached_input": price(
    "USD per million tokens read from the vendor's cache, after a long prompt.",
  ),
  "models.*.long_price_cache_write": price(
    "USD per million tokens written to the vendor's cache, after a long prompt.",
  ),
  "models.*.inputs": {
    type: stringList,
    default: null,
    about: "Attachments the model understands: `image`, `pdf`, `audio`, `video`.",
    example: ["image", "pdf"],
  },
  "models.*.thinking_style": {
    type: choice(["adaptive", "budget", "both"]),
    default: null,
    about: "How a Claude can be asked to think: by itself, within a budget, or either way.",
    example: "adaptive",
  },
  "catalog.source_url": {
    type: url,
    default: "https://models.dev/api.json",
    about: "Where `capstan models refresh` gets its catalog; plain `http` for loopback addresses only.",
    secret: "credentials",
  },
};

function price(about: string): ConfigKey {
  return { type: number(0, 1_000_000), default: null, about, example: 0.5 };
}

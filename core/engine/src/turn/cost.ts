import type { SessionConfig, Usage } from "@capstan/protocol";

const tokensPerPrice = 1_000_000;

/** What a step cost in USD; `null` when the model's prices are not known. Cached tokens are priced apart. */
export function costOf(usage: Usage, config: SessionConfig | null): number | null {
  const prices = config?.model.prices;
  if (prices === undefined) return null;
  const plainInput = Math.max(0, usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens);
  const total =
    plainInput * prices.input +
    usage.cachedInputTokens * (prices.cachedInput ?? prices.input) +
    usage.cacheWriteTokens * (prices.cacheWrite ?? prices.input) +
    usage.outputTokens * prices.output;
  return total / tokensPerPrice;
}

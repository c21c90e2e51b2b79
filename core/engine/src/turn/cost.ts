import type { ModelPrices, TokenPrices, Usage } from "@capstan/protocol";

const tokensPerPrice = 1_000_000;

/** What a model call cost in USD; `null` when the model's prices are not known. Cached tokens are priced apart. */
export function costOf(usage: Usage, prices: ModelPrices | undefined): number | null {
  if (prices === undefined) return null;
  const { input, output, cachedInput = input, cacheWrite = input } = pricesFor(usage.inputTokens, prices);
  const plainInput = Math.max(0, usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens);
  const total =
    plainInput * input +
    usage.cachedInputTokens * cachedInput +
    usage.cacheWriteTokens * cacheWrite +
    usage.outputTokens * output;
  return total / tokensPerPrice;
}

function pricesFor(inputTokens: number, prices: ModelPrices): TokenPrices {
  const reached = (prices.longPrompt ?? []).filter((step) => inputTokens > step.aboveTokens);
  return reached.toSorted((a, b) => b.aboveTokens - a.aboveTokens)[0] ?? prices;
}

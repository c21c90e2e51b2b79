import type { ModelPrices, TokenPrices } from "../session-config.ts";
import type { Usage } from "./model-stream.ts";

/** Prices are in USD for so many tokens. */
export const tokensPerPrice = 1_000_000;

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
  return reachedSteps(inputTokens, prices).toSorted((a, b) => b.aboveTokens - a.aboveTokens)[0] ?? prices;
}

function reachedSteps(inputTokens: number, { longPrompt = [] }: ModelPrices): NonNullable<ModelPrices["longPrompt"]> {
  return longPrompt.filter((step) => inputTokens > step.aboveTokens);
}

/** The highest prices that a prompt of at most so many tokens may meet: a step for long ones need not be dearer. */
export function highestPrices(
  inputTokens: number,
  prices: ModelPrices,
): { readonly input: number; readonly output: number } {
  const reachable: readonly TokenPrices[] = [prices, ...reachedSteps(inputTokens, prices)];
  return {
    input: Math.max(
      ...reachable.map(({ input, cacheWrite = input, cachedInput = input }) =>
        Math.max(input, cacheWrite, cachedInput),
      ),
    ),
    output: Math.max(...reachable.map(({ output }) => output)),
  };
}

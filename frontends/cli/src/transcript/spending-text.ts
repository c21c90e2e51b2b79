import type { Spending } from "@capstan/view";

/** `3 model calls, 1200 tokens in (800 cached), 300 out, $0.0123` */
export function spendingText({ modelCalls, usage, costUsd }: Spending): string {
  const cached = usage.cachedInputTokens === 0 ? "" : ` (${usage.cachedInputTokens} cached)`;
  const calls = `${modelCalls} model call${modelCalls === 1 ? "" : "s"}`;
  return `${calls}, ${usage.inputTokens} tokens in${cached}, ${usage.outputTokens} out, ${costText(costUsd)}`;
}

/** `null`: the price of a call is not known. */
export function costText(costUsd: number | null): string {
  return costUsd === null ? "cost unknown" : `$${costUsd.toFixed(4)}`;
}

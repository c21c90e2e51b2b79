import type { Usage } from "@capstan/protocol";
import { maxTokensOfOneCall } from "../limits.ts";

/** What a vendor counted, as far as it can be: whole numbers, no more than any model takes. */
export interface PlausibleUsage {
  readonly usage: Usage;
  /** What was wrong with it, for people. */
  readonly notice: string | undefined;
}

const counts = ["inputTokens", "cachedInputTokens", "cacheWriteTokens", "outputTokens", "reasoningTokens"] as const;

/** A count that cannot be true would end every budget, or never reach one. */
export function plausibleUsage(said: Usage, provider: string): PlausibleUsage {
  const wrong = counts.find((name) => said[name] !== plausible(said[name]));
  if (wrong === undefined) return { usage: said, notice: undefined };
  const [inputTokens = 0, cachedInputTokens = 0, cacheWriteTokens = 0, outputTokens = 0, reasoningTokens = 0] =
    counts.map((name) => plausible(said[name]));
  return {
    usage: { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens },
    notice: `${provider} counts ${wrong} as ${said[wrong]}, which cannot be: ${plausible(said[wrong])} is counted.`,
  };
}

function plausible(count: number): number {
  return Number.isFinite(count) ? Math.min(Math.max(Math.round(count), 0), maxTokensOfOneCall) : maxTokensOfOneCall;
}

import type { JsonObject, Usage } from "@capstan/protocol";
import { countOf, objectOf } from "../shared/json-fields.ts";

/** Usage as Chat Completions servers report it; each report replaces the one before. */
export function readChatUsage(usage: JsonObject): Usage {
  const input = objectOf(usage["prompt_tokens_details"]);
  const output = objectOf(usage["completion_tokens_details"]);
  const inputTokens = countOf(usage["prompt_tokens"]) ?? 0;
  const outputTokens = countOf(usage["completion_tokens"]) ?? 0;
  const cached = countOf(input?.["cached_tokens"]) ?? countOf(usage["prompt_cache_hit_tokens"]) ?? 0;
  return {
    inputTokens,
    cachedInputTokens: Math.min(cached, inputTokens),
    cacheWriteTokens: Math.min(countOf(input?.["cache_write_tokens"]) ?? 0, inputTokens),
    outputTokens,
    reasoningTokens: Math.min(countOf(output?.["reasoning_tokens"]) ?? 0, outputTokens),
  };
}

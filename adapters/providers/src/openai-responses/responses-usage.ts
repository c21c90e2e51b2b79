import { type JsonObject, noUsage, type Usage } from "@capstan/protocol";
import { countOf, objectOf } from "../shared/json-fields.ts";

/** Usage as the Responses API reports it, once, with the whole response. */
export function readResponsesUsage(usage: JsonObject | undefined): Usage {
  if (usage === undefined) return noUsage;
  const input = objectOf(usage["input_tokens_details"]);
  const output = objectOf(usage["output_tokens_details"]);
  const inputTokens = countOf(usage["input_tokens"]) ?? 0;
  const outputTokens = countOf(usage["output_tokens"]) ?? 0;
  return {
    inputTokens,
    cachedInputTokens: Math.min(countOf(input?.["cached_tokens"]) ?? 0, inputTokens),
    cacheWriteTokens: Math.min(countOf(input?.["cache_write_tokens"]) ?? 0, inputTokens),
    outputTokens,
    reasoningTokens: Math.min(countOf(output?.["reasoning_tokens"]) ?? 0, outputTokens),
  };
}

import type { JsonObject, JsonValue, Usage } from "@capstan/protocol";
import { countOf, objectOf } from "../shared/json-fields.ts";

/**
 * Usage as Chat Completions servers report it; each report replaces the one before. Beside OpenAI's own the names are those of
 * Moonshot, DeepSeek and Mistral for what was read from the cache, of OpenRouter, DashScope and LiteLLM for what was written to it.
 */
export function readChatUsage(usage: JsonObject): Usage {
  const input = objectOf(usage["prompt_tokens_details"]) ?? objectOf(usage["prompt_token_details"]) ?? {};
  const output = objectOf(usage["completion_tokens_details"]) ?? {};
  const inputTokens = firstCount(usage["prompt_tokens"]);
  const said = firstCount(usage["completion_tokens"]);
  const thought = firstCount(output["reasoning_tokens"], usage["reasoning_tokens"]);
  const cached = firstCount(
    input["cached_tokens"],
    usage["cached_tokens"],
    usage["prompt_cache_hit_tokens"],
    usage["num_cached_tokens"],
  );
  const written = firstCount(
    input["cache_write_tokens"],
    input["cache_creation_input_tokens"],
    input["cache_creation_tokens"],
  );
  // xAI counts what was thought beside what was said; its total shows it.
  const outputTokens = usage["total_tokens"] === inputTokens + said + thought ? said + thought : said;
  return {
    inputTokens,
    cachedInputTokens: Math.min(cached, inputTokens),
    cacheWriteTokens: Math.min(written, inputTokens),
    outputTokens,
    reasoningTokens: Math.min(thought, outputTokens),
  };
}

/** The first of them that is a count. */
function firstCount(...values: readonly (JsonValue | undefined)[]): number {
  return values.map((value) => countOf(value)).find((count) => count !== undefined) ?? 0;
}

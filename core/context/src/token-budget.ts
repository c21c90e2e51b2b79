import type { ModelSettings } from "@capstan/protocol";
import { budgetShare } from "./limits.ts";

/**
 * How long a request to a model may be.
 * @returns tokens: what its window leaves beside the longest answer, with a reserve for what is only guessed
 */
export function tokenBudget({
  contextWindowTokens,
  maxOutputTokens,
}: Pick<ModelSettings, "contextWindowTokens" | "maxOutputTokens">): number {
  // A catalog may say that an answer can fill the whole window; half of it is left for what is asked.
  const reserved = Math.min(maxOutputTokens, Math.floor(contextWindowTokens / 2));
  return Math.max(1, Math.floor(budgetShare * (contextWindowTokens - reserved)));
}

import type { JsonObject, ModelSettings } from "@capstan/protocol";
import { flagOption, numberOption, textOption } from "../shared/request/model-option.ts";
import { type GoogleModel, googleModel } from "./google-model.ts";

/**
 * The thinking part of a request's `generationConfig`: `{}` where the model has none.
 * Options: `thinking_enabled` (true), `thinking_level` (`minimal` to `high`), `thinking_budget_tokens`.
 * A request that names level and budget is refused, and Gemini 2.5 knows no levels, so one of them is chosen.
 */
export function thinkingFields(model: ModelSettings): JsonObject {
  const known = googleModel(model.id);
  if (known.thinking === "none") return {};
  if (!flagOption(model, "thinking_enabled", true)) return { thinkingConfig: leastThinking(known) };
  return { thinkingConfig: { includeThoughts: true, ...amount(model, known) } };
}

function leastThinking(known: GoogleModel): JsonObject {
  return known.thinking === "budget"
    ? { thinkingBudget: known.leastThinkingTokens }
    : { thinkingLevel: known.lowestLevel };
}

function amount(model: ModelSettings, known: GoogleModel): JsonObject {
  const level = textOption(model, "thinking_level");
  const budget = numberOption(model, "thinking_budget_tokens");
  if (known.thinking === "level" && level !== undefined) return { thinkingLevel: level.toUpperCase() };
  if (budget === undefined) return {};
  const least = Math.max(known.leastThinkingTokens, Math.floor(budget));
  return { thinkingBudget: Math.min(known.mostThinkingTokens, least) };
}

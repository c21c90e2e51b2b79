import type { JsonObject, Message, ModelRequest, ModelSettings } from "@capstan/protocol";
import { limits } from "../limits.ts";
import { flagOption, numberOption, textOption } from "../shared/request/model-option.ts";
import { isOwnMessage, isSentThinking } from "./anthropic-message.ts";

/** The budget when thinking is switched on without one, in tokens (Forge's default). */
const usualBudgetTokens = 10_000;

/**
 * The thinking part of a request: `{}` when it is off.
 * Options: `thinking` (`adaptive`, `enabled`, `disabled`) or `thinking_enabled`; `thinking_budget_tokens`; `thinking_effort`;
 * `thinking_display`.
 */
export function thinkingFields(request: ModelRequest, model: ModelSettings): JsonObject {
  const effort = textOption(model, "thinking_effort");
  const output = effort === undefined ? {} : { output_config: { effort } };
  const display = textOption(model, "thinking_display");
  const shown = display === undefined ? {} : { display };
  const mode = textOption(model, "thinking");
  if (mode === "adaptive") return { thinking: { type: "adaptive", ...shown }, ...output };
  const wanted = mode === undefined ? flagOption(model, "thinking_enabled", false) : mode === "enabled";
  const budget = budgetTokens(request, model);
  if (!wanted || budget === undefined || !mayThink(request.messages, model.provider)) return output;
  return { thinking: { type: "enabled", budget_tokens: budget, ...shown }, ...output };
}

/** The vendor demands `max_tokens` above the budget; where the wish does not fit, half stays for the answer. */
function budgetTokens(request: ModelRequest, model: ModelSettings): number | undefined {
  const wish = Math.floor(numberOption(model, "thinking_budget_tokens") ?? usualBudgetTokens);
  const least = limits.thinkingBudgetTokens;
  if (request.maxOutputTokens <= least) return undefined;
  const fitting = wish < request.maxOutputTokens ? wish : Math.floor(request.maxOutputTokens / 2);
  return Math.max(least, fitting);
}

/**
 * With a budget, the vendor refuses a tool loop whose first answer does not begin with its own thinking, as happens when
 * thinking is switched on, or the model changed, in the middle of it. Then this loop ends without.
 */
function mayThink(messages: readonly Message[], provider: string): boolean {
  const begin = messages.findLastIndex((message) => message.role === "user" && !answersCalls(message)) + 1;
  const first = messages[begin];
  if (first === undefined || first.role === "user") return true;
  return isOwnMessage(first, provider) && isSentThinking(first.content[0]);
}

function answersCalls(message: Message): boolean {
  return message.content.some((block) => block.type === "tool-result");
}

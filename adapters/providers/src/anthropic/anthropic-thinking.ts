import type { AssistantMessage, JsonObject, Message, ModelRequest, ModelSettings } from "@capstan/protocol";
import { limits } from "../limits.ts";
import { flagOption, numberOption, textOption } from "../shared/request/model-option.ts";
import { isOwnMessage, isSentThinking } from "./anthropic-message.ts";
import { anthropicModel } from "./anthropic-model.ts";

/** The budget when thinking is switched on without one, in tokens (Forge's default). */
const usualBudgetTokens = 10_000;

/** Where a model binds its thinking, it thinks whether it is asked to or not, so that saying this asks for nothing more. */
const unboundThinking = {
  thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } },
} as const;

/**
 * The thinking part of a request: `{}` when it is off. What the model does not take becomes what it does.
 * Options: `thinking` (`adaptive`, `enabled`, `disabled`) or `thinking_enabled`; `thinking_budget_tokens`; `thinking_effort`;
 * `thinking_display`; `thinking_style` (`adaptive`, `budget`, `both`: what the model takes).
 */
export function thinkingFields(request: ModelRequest, model: ModelSettings): JsonObject {
  const effort = textOption(model, "thinking_effort");
  const output = effort === undefined ? {} : { output_config: { effort } };
  const display = textOption(model, "thinking_display");
  const shown = display === undefined ? {} : { display };
  const setting = settingOf(model);
  const unbound: Partial<typeof unboundThinking> = anthropicModel(model).bindsThinking ? unboundThinking : {};
  if (setting === "off") return { ...unbound, ...output };
  if (setting === "adaptive") {
    const thinking = { type: "adaptive", ...unbound.thinking, ...adaptiveDisplay(model), ...shown };
    return { thinking, ...output };
  }
  const budget = budgetTokens(request, model);
  if (budget === undefined || !mayThink(request.messages, model.provider)) return output;
  return { thinking: { type: "enabled", budget_tokens: budget, ...shown }, ...output };
}

/**
 * The headers thinking needs: with a budget, models of the fourth generation think between tool calls only where it is
 * asked for, and adaptive thinking does so by itself (https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking).
 */
export function thinkingHeaders(request: ModelRequest, model: ModelSettings): Readonly<Record<string, string>> {
  if (anthropicModel(model).bindsThinking) return { "anthropic-beta": "thinking-binding-controls-2026-08-01" };
  if (request.tools.length === 0 || settingOf(model) !== "budget" || !anthropicModel(model).interleavesWhenAsked)
    return {};
  return { "anthropic-beta": "interleaved-thinking-2025-05-14" };
}

/** How the model is to think, in a way it takes. */
function settingOf(model: ModelSettings): "off" | "adaptive" | "budget" {
  const mode = textOption(model, "thinking");
  const wanted = mode === undefined ? flagOption(model, "thinking_enabled", false) : mode !== "disabled";
  if (!wanted) return "off";
  const style = anthropicModel(model).thinking;
  if (style === "adaptive" || style === "budget") return style;
  if (mode === "adaptive") return "adaptive";
  return mode === undefined && style === "both" ? "adaptive" : "budget";
}

/** Where adaptive thinking is all a model takes, it keeps it to themselves unless they are asked for a summary. */
function adaptiveDisplay(model: ModelSettings): JsonObject {
  return anthropicModel(model).thinking === undefined ? {} : { display: "summarized" };
}

/** The vendor demands `max_tokens` above the budget; where it does not fit, half stays for the answer. */
function budgetTokens(request: ModelRequest, model: ModelSettings): number | undefined {
  const setting = Math.floor(numberOption(model, "thinking_budget_tokens") ?? usualBudgetTokens);
  const least = limits.thinkingBudgetTokens;
  if (request.maxOutputTokens <= least) return undefined;
  const fitting = setting < request.maxOutputTokens ? setting : Math.floor(request.maxOutputTokens / 2);
  return Math.max(least, fitting);
}

/**
 * With a budget, the vendor refuses a tool loop whose first answer does not begin with its own thinking, as happens when
 * thinking is switched on, or the model changed, in the middle of it; and one whose last answer has its thinking further
 * in, as happens when a paused answer continued with thinking. Then this loop ends without.
 */
function mayThink(messages: readonly Message[], provider: string): boolean {
  const begin = messages.findLastIndex((message) => message.role === "user" && !answersCalls(message)) + 1;
  const answers = messages.slice(begin).filter((message) => message.role === "assistant");
  const [first] = answers;
  const last = answers.at(-1);
  if (first === undefined || last === undefined) return true;
  return beginsWithThinking(first, provider) && (beginsWithThinking(last, provider) || !sendsThinking(last, provider));
}

function beginsWithThinking(message: AssistantMessage, provider: string): boolean {
  return isOwnMessage(message, provider) && isSentThinking(message.content[0]);
}

function sendsThinking(message: AssistantMessage, provider: string): boolean {
  return isOwnMessage(message, provider) && message.content.some(isSentThinking);
}

function answersCalls(message: Message): boolean {
  return message.content.some((block) => block.type === "tool-result");
}

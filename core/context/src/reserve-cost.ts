import {
  highestPrices,
  type Message,
  type ModelPrices,
  type ModelRequest,
  tokensPerPrice,
  utf8Length,
} from "@capstan/protocol";
import { minAnswerTokens, requestOverheadTokens } from "./limits.ts";
import { mostTokens } from "./most-tokens.ts";

/** What a call may write at most, so that it cannot cost more than is left, and what it could cost at the least that is of use. */
export interface Reservation {
  /** Tokens; the model's own limit where the budget does not matter. */
  readonly outputTokens: number;
  /** Set when not even a short answer fits. USD. */
  readonly short: { readonly neededUsd: number; readonly leftUsd: number } | null;
}

/** A call before it is made. */
export interface PlannedCall {
  /** More tokens than its prompt can have. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly prices: ModelPrices;
}

/**
 * Sets the worst case of a call against what is left. An answer that may have to be shorter is asked for shorter; one of which too little
 * would be left is not asked for.
 */
export function reservation({ inputTokens, outputTokens, prices }: PlannedCall, leftUsd: number): Reservation {
  const { input, output } = highestPrices(inputTokens, prices);
  const inputUsd = (inputTokens * input) / tokensPerPrice;
  const fitting = output === 0 ? outputTokens : Math.floor(((leftUsd - inputUsd) * tokensPerPrice) / output);
  const least = Math.min(outputTokens, minAnswerTokens);
  if (inputUsd <= leftUsd && fitting >= least) return { outputTokens: Math.min(outputTokens, fitting), short: null };
  return { outputTokens: 0, short: { neededUsd: inputUsd + (least * output) / tokensPerPrice, leftUsd } };
}

/** What a call can cost at most, in USD. */
export function mostCostUsd({ inputTokens, outputTokens, prices }: PlannedCall): number {
  const { input, output } = highestPrices(inputTokens, prices);
  return (inputTokens * input + outputTokens * output) / tokensPerPrice;
}

/** More tokens than a prompt can have of which nothing was counted: one for every byte. */
export function mostPromptTokens({ system, tools, messages }: ModelRequest): number {
  return utf8Length(JSON.stringify([system, tools])) + mostTokens(messages) + requestOverheadTokens;
}

/** A conversation of which a vendor counted the first messages. */
export interface CountedConversation {
  readonly conversation: readonly Message[];
  readonly measured: { readonly model: string; readonly messages: number; readonly tokens: number } | null;
}

/**
 * More tokens than a prompt can have: what the vendor counted of the last call and its answer, and a token for every byte
 * since. No tokenizer makes more of a text; ordinary text has a quarter of that.
 * @param model  who is asked, `provider/id`
 */
export function mostInputTokens(
  { measured, conversation }: CountedConversation,
  model: string,
  request: ModelRequest,
): number {
  return measured === null || measured.model !== model || measured.messages > conversation.length
    ? mostPromptTokens(request)
    : measured.tokens + mostTokens(conversation.slice(measured.messages)) + requestOverheadTokens;
}

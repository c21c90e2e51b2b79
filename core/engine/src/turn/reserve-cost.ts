import { mostTokens } from "@capstan/context";
import { highestPrices, type ModelRequest, type ModelSettings, tokensPerPrice, utf8Length } from "@capstan/protocol";
import { minAnswerTokens, requestOverheadTokens } from "../limits.ts";
import type { OpenTurn, SessionState } from "../model/state.ts";
import { modelName } from "../model/step-model.ts";

/** What a call may write at most, so that it cannot cost more than is left, and what it could cost at the least that is of use. */
export interface Reservation {
  /** Tokens; the model's own limit where the budget does not matter. */
  readonly outputTokens: number;
  /** Set when not even a short answer fits. USD. */
  readonly short: { readonly neededUsd: number; readonly leftUsd: number } | null;
}

/**
 * Sets the worst case of a call against what is left of the turn's budget. An answer that may have to be shorter is asked for
 * shorter; one of which too little would be left is not asked for.
 * @param state  as it will be when the call is made
 */
export function reserveCost(
  state: SessionState,
  turn: OpenTurn,
  model: ModelSettings,
  request: ModelRequest,
): Reservation {
  const cap = state.config?.limits.maxCostUsd ?? null;
  const wanted = request.maxOutputTokens;
  if (cap === null || model.prices === undefined) return { outputTokens: wanted, short: null };
  const inputTokens = mostInputTokens(state, model, request);
  const { input, output } = highestPrices(inputTokens, model.prices);
  const leftUsd = cap * (turn.extensions + 1) - turn.costUsd;
  const inputUsd = (inputTokens * input) / tokensPerPrice;
  const fitting = output === 0 ? wanted : Math.floor(((leftUsd - inputUsd) * tokensPerPrice) / output);
  const least = Math.min(wanted, minAnswerTokens);
  if (inputUsd <= leftUsd && fitting >= least) return { outputTokens: Math.min(wanted, fitting), short: null };
  return { outputTokens: 0, short: { neededUsd: inputUsd + (least * output) / tokensPerPrice, leftUsd } };
}

/**
 * More tokens than the prompt can have: what the vendor counted of the last call and its answer, and a token for every byte
 * since. No tokenizer makes more of a text; ordinary text has a quarter of that.
 */
function mostInputTokens(
  { measured, conversation }: SessionState,
  model: ModelSettings,
  request: ModelRequest,
): number {
  if (measured === null || measured.model !== modelName(model) || measured.messages > conversation.length) {
    const { system, tools, messages } = request;
    return utf8Length(JSON.stringify([system, tools])) + mostTokens(messages) + requestOverheadTokens;
  }
  return measured.tokens + mostTokens(conversation.slice(measured.messages)) + requestOverheadTokens;
}

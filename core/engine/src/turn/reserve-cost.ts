import { mostInputTokens, type Reservation, reservation } from "@capstan/context";
import { type ModelRequest, type ModelSettings, modelName } from "@capstan/protocol";
import { openTurnOf, type SessionState } from "@capstan/session";

/**
 * Sets the worst case of a call against what is left of the turn's budget.
 * @param state  as it will be when the call is made
 */
export function reserveCost(state: SessionState, model: ModelSettings, request: ModelRequest): Reservation {
  const outputTokens = request.maxOutputTokens;
  const { prices } = model;
  const leftUsd = costLeft(state);
  if (leftUsd === Infinity || prices === undefined) return { outputTokens, short: null };
  return reservation({ inputTokens: mostInputTokens(state, modelName(model), request), outputTokens, prices }, leftUsd);
}

/** USD that the turn may still cost, without what a summary beside it may; `Infinity`: there is no bound. */
export function costLeft(state: SessionState): number {
  const { config, background } = state;
  const turn = openTurnOf(state);
  const cap = config?.limits.maxCostUsd ?? Infinity;
  return cap * ((turn?.extensions ?? 0) + 1) - (turn?.costUsd ?? 0) - (background?.mayCostUsd ?? 0);
}

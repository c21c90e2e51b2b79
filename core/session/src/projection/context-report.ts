import { contextShares, tokenBudget } from "@capstan/context";
import { type ContextReport, modelName } from "@capstan/protocol";
import type { SessionState } from "../model/state.ts";
import { modelRequest } from "./model-request.ts";
import { calibrationOf, requestTokens } from "./request-size.ts";

/** What the session's model is shown. @returns `null` for a session that was never configured */
export function contextReport(state: SessionState): ContextReport | null {
  const { config, measured, summary, summaries, shortened } = state;
  if (config === null) return null;
  const { model } = config;
  return {
    model: modelName(model),
    windowTokens: model.contextWindowTokens,
    answerTokens: model.maxOutputTokens,
    budgetTokens: tokenBudget(model),
    usedTokens: Math.round(requestTokens(state, model)),
    isCounted: measured?.model === modelName(model),
    messages: state.conversation.length,
    parts: contextShares(modelRequest(state), {
      hasSummary: summary !== null,
      calibration: calibrationOf(state, model),
    }),
    summaries: summaries.map(({ stepId, messageCount, text, kept }) => ({
      compaction: stepId,
      messageCount,
      isShown: summary?.stepId === stepId && summary.messageCount === messageCount,
      text,
      kept,
    })),
    resultCharacters: shortened?.characters ?? null,
  };
}

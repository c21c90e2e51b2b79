import { tokenBudget } from "@capstan/context";
import type { KeptWords, StepId } from "@capstan/protocol";
import { modelName } from "../model/step-model.ts";
import type { SessionState } from "../model/state.ts";
import { requestTokens } from "./request-size.ts";

/** What the session's model is shown of the conversation, and how much room that takes. Tokens are those of the next request as it stands. */
export interface ContextReport {
  readonly model: string;
  readonly windowTokens: number;
  /** Kept free for the longest answer. */
  readonly answerTokens: number;
  /** What a request may have; beyond it older messages are summarised. */
  readonly budgetTokens: number;
  readonly usedTokens: number;
  /** The vendor counted the last request to this model; else it is a guess. */
  readonly isCounted: boolean;
  readonly messages: number;
  readonly summaries: readonly ReportedSummary[];
  /** To how many UTF-16 units long tool results are cut; `null`: they are whole. */
  readonly resultCharacters: number | null;
}

export interface ReportedSummary {
  /** `null`: a user wanted a clean context. */
  readonly compaction: StepId | null;
  readonly messageCount: number;
  readonly isShown: boolean;
  readonly text: string;
  readonly kept: readonly KeptWords[];
}

/** @returns `null` for a session that was never configured */
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

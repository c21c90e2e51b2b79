import type { StepId } from "./ids.ts";
import type { KeptWords } from "./record.ts";

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

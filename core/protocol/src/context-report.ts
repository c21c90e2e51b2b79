import type { StepId } from "./ids.ts";
import type { KeptWords } from "./model/compaction-record.ts";

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
  /** What the next request is made of, as it stands; guesses that together are about `usedTokens`. Parts without anything are left out. */
  readonly parts: readonly ContextShare[];
  readonly summaries: readonly ReportedSummary[];
  /** To how many UTF-16 units long tool results are cut; `null`: they are whole. */
  readonly resultCharacters: number | null;
}

/** `system`: the instructions of Capstan itself. `summary`: what stands for older messages. `words`: of users, with the facts of the workspace. */
export type ContextShareName = "system" | "tools" | "summary" | "words" | "answers" | "calls" | "results" | "media";

export interface ContextShare {
  readonly name: ContextShareName;
  /** Tools, or blocks of messages. */
  readonly count: number;
  readonly tokens: number;
}

export interface ReportedSummary {
  /** `null`: a user wanted a clean context. */
  readonly compaction: StepId | null;
  readonly messageCount: number;
  readonly isShown: boolean;
  readonly text: string;
  readonly kept: readonly KeptWords[];
}

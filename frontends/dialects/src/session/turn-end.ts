import type {
  FileChange,
  FinishReason,
  JsonObject,
  JsonValue,
  ProviderFailure,
  ToolCallId,
  TurnOutcome,
} from "@capstan/protocol";
import type { Spending } from "@capstan/view";

/** A call that was refused. */
export interface RefusedCall {
  readonly callId: ToolCallId;
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** What became of a user's words: of the turn they began, and of those that belong to it. */
export interface TurnEnd {
  readonly outcome: TurnOutcome;
  /** The text of the last answer. */
  readonly text: string;
  /** The answer as a value that fits the form that was asked for; absent: there is none that does. */
  readonly structured?: JsonValue;
  /** The answer does not fit, also after it was asked for again: what is wrong with it. */
  readonly misfit?: string;
  /** What people read about an outcome other than `done`. */
  readonly message?: string;
  readonly failure?: ProviderFailure;
  /** Why the model stopped last. */
  readonly reason: FinishReason | null;
  /** The limit that ended it, in the engine's words. */
  readonly limit?: string;
  readonly spent: Spending;
  readonly toolCalls: number;
  readonly refused: readonly RefusedCall[];
  /** Paths that were changed, as shown, each once. */
  readonly changed: readonly FileChange[];
  readonly proposed: readonly FileChange[];
  readonly durationMs: number;
}

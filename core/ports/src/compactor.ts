import type { Message } from "@capstan/protocol";

/** What is to leave the model's view. */
export interface CompactorSource {
  /** Whose conversation it is: the name of an agent, or `main`. */
  readonly agentId: string;
  /** The oldest first; a summary that was made before is the first of them. Results of tools may be cut. */
  readonly messages: readonly Message[];
  /** Tokens that the summary may have; a longer one is not applied where it saves nothing. */
  readonly maxTokens: number;
}

/**
 * Something outside of Capstan that writes what stands in place of older messages.
 *
 * Contract:
 * - The text is not empty. What binds, what was decided, the request under way and the task list need not be in it: they stay beside it.
 * - What is thrown is tried again as a model's failure is; after the last attempt rules make the summary. A `ProviderError` says whether
 *   another attempt may pass.
 * - `signal` ends it at once, and nothing is awaited from it afterwards.
 */
export interface Compactor {
  summarize(source: CompactorSource, signal: AbortSignal): Promise<string>;
}

/** By the name that `context.compactor` and agents give. */
export type Compactors = Readonly<Record<string, Compactor>>;

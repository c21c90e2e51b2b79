import type { Interaction } from "@capstan/protocol";
import type { ProgressLine } from "../progress.ts";

/** What a run does when something waits for a user. */
export type OnAsk =
  /** The session itself says no, at once: nothing ever waits. */
  | { readonly type: "deny" }
  /** Ends, with the turn left open, as soon as nothing else continues. */
  | { readonly type: "park" }
  /** Waits for an answer from elsewhere. What would wait forever is parked after `limitMs`. */
  | { readonly type: "wait"; readonly limitMs: number }
  | { readonly type: "inline"; readonly terminal: AskTerminal };

/** A user at a terminal. */
export interface AskTerminal {
  show(lines: readonly ProgressLine[]): void;
  /** One line, typed after it was asked for; `null`: Escape, end of input, or `signal` aborted. */
  ask(prompt: string, signal: AbortSignal): Promise<string | null>;
}

/** What the run is informed. */
export interface AskHooks {
  /** Something waits for an answer from elsewhere; called once for each. */
  waiting(interaction: Interaction): void;
  /** Nothing more happens until somebody answers, and this run does not wait for it. */
  parked(): void;
  /** The session could not take an answer. */
  failed(error: unknown): void;
}

import type { Interaction } from "@capstan/protocol";
import type { ProgressLine } from "@capstan/view";

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
  /**
   * Paints a question, whose last line stays open, and reads one key that is typed after that: its letter, or `up`, `down`, `space`, …
   * @param again  it takes the place of the one that was painted last
   * @returns `null`: Escape, end of input, or `signal` aborted
   */
  key(
    lines: readonly ProgressLine[],
    options: { readonly again: boolean; readonly signal: AbortSignal },
  ): Promise<string | null>;
  /** Writes behind the open line what was chosen, and closes it. */
  chosen(text: string): void;
  /** The text as the user left it in their own editor; `problem`: there is none, or it failed. */
  edit(text: string, ending: string): Promise<{ readonly text: string } | { readonly problem: string }>;
}

/** What the run is informed. */
export interface AskHooks {
  /** They are answered here, and their user knows. */
  answering(ids: readonly string[]): void;
  /** Something waits for an answer from elsewhere; called once for each. */
  waiting(interaction: Interaction): void;
  /** Resolves when every question that is open now was looked at: the calls of a step are asked about together. */
  allSeen(): Promise<void>;
  /** Nothing more happens until somebody answers, and this run does not wait for it. */
  parked(): void;
  /** The session could not take an answer. */
  failed(error: unknown): void;
}

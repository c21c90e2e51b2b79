import type { ToolArguments, Usage, UserContent } from "@capstan/protocol";

/** Agents whose session files can be imported. */
export type ForeignAgent = "Claude Code" | "Codex CLI" | "pi" | "opencode" | "Gemini CLI" | "Ted";

/** What was said in another agent, in order: whatever its file says, in no vendor's terms. `at`: ms since 1970; 0 where the file names no time. */
export type ForeignEntry =
  | { readonly type: "user"; readonly content: readonly UserContent[]; readonly at: number }
  | ForeignAnswer
  | ForeignResult
  /** A summary that the agent showed its model in place of everything before it, but for the last `kept` entries. */
  | { readonly type: "summary"; readonly text: string; readonly kept: number; readonly at: number };

export interface ForeignAnswer {
  readonly type: "answer";
  readonly blocks: readonly ForeignBlock[];
  /** As the file names it; empty where it does not. */
  readonly model: string;
  readonly usage?: Usage;
  readonly costUsd?: number;
  readonly at: number;
}

export type ForeignBlock =
  | { readonly type: "text"; readonly text: string }
  /** Readable thinking. Signatures are left behind: nobody can prove any more whose they were. */
  | { readonly type: "thinking"; readonly text: string }
  | {
      readonly type: "call";
      readonly callId: string;
      readonly name: string;
      readonly arguments: ToolArguments;
    };

export interface ForeignResult {
  readonly type: "result";
  readonly callId: string;
  readonly content: string;
  /** Pictures in it. A result is text for us, so they are shown after the results of its answer. */
  readonly media: readonly UserContent[];
  readonly outcome: "done" | "failed" | "cancelled";
  readonly at: number;
}

/** A session of another agent, read from its file. */
export interface ForeignSession {
  readonly agent: ForeignAgent;
  readonly id: string;
  readonly entries: readonly ForeignEntry[];
}

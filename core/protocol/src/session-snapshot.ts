import type { Task } from "./action.ts";
import type { Grant } from "./gate/grant.ts";
import type { SessionId, StepId, ToolCallId, TurnId } from "./ids.ts";
import type { Interaction } from "./gate/interaction.ts";
import type { UserContent } from "./message.ts";
import type { Usage } from "./model/model-stream.ts";
import type { Proposal } from "./gate/proposal.ts";
import type { TurnOutcome } from "./outcome.ts";
import type { SessionConfig, Workspace } from "./session-config.ts";

/** What is happening in a session, for status lines. */
export type Activity =
  | { readonly type: "idle" }
  | { readonly type: "preparing"; readonly turnId: TurnId }
  | {
      readonly type: "streaming";
      readonly turnId: TurnId;
      readonly stepId: StepId;
      readonly text: string;
      readonly thinking: string;
    }
  | { readonly type: "retrying"; readonly turnId: TurnId; readonly stepId: StepId; readonly attempt: number }
  | { readonly type: "awaiting-approval"; readonly turnId: TurnId }
  | { readonly type: "executing"; readonly turnId: TurnId; readonly running: readonly ToolCallId[] }
  | { readonly type: "awaiting-user"; readonly turnId: TurnId }
  | { readonly type: "summarizing" }
  /** The turn waits for a summary, without which its next request does not fit. */
  | { readonly type: "compacting"; readonly turnId: TurnId }
  | { readonly type: "recovery"; readonly turnId: TurnId }
  | { readonly type: "rewinding" }
  /** Proposed changes are being written. */
  | { readonly type: "applying" };

/** A session as of one sequence number: with the events after it, a client misses nothing and sees nothing twice. */
export interface SessionSnapshot {
  readonly sessionId: SessionId;
  readonly seq: number;
  readonly workspace: Workspace;
  readonly config: SessionConfig;
  /** It had turns before; what it has of them is in `conversation`. */
  readonly resumed: boolean;
  /** As a user gave it. */
  readonly title?: string;
  readonly activity: Activity;
  /** Inputs that wait, oldest first. */
  readonly queued: readonly {
    readonly turnId: TurnId;
    readonly content: readonly UserContent[];
    readonly user?: string;
  }[];
  /** Words for the open turn that the model has not read yet. */
  readonly steering: readonly { readonly inputId: TurnId; readonly content: readonly UserContent[] }[];
  /** Calls that run, with the end of their output. */
  readonly running: readonly { readonly callId: ToolCallId; readonly output: string }[];
  /** Tokens of the context as the vendor last counted them, with that model's window; `null`: not known. */
  readonly context: { readonly tokens: number; readonly windowTokens: number } | null;
  /** Summaries of older messages that were made and are there. */
  readonly summaries: number;
  readonly pending: readonly Interaction[];
  /** Changes of files that wait for somebody who applies or refuses them, oldest first. */
  readonly proposals: readonly Proposal[];
  /** The model's task list. */
  readonly tasks: readonly Task[];
  /** Approvals remembered in this session. */
  readonly grants: readonly Grant[];
  /** Turns that left a trace and were not taken back, oldest first, with the files they changed (absolute paths). */
  readonly turns: readonly { readonly turnId: TurnId; readonly changed: readonly string[] }[];
  /** Something was taken back and can be brought back. */
  readonly canUnwind: boolean;
  readonly usage: Usage;
  readonly costUsd: number | null;
  readonly lastOutcome?: TurnOutcome;
}

/** A line of `sessions list`. Times: ms since 1970. */
export interface SessionSummary {
  readonly id: SessionId;
  readonly title: string;
  readonly cwd: string;
  readonly model: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly turns: number;
  /** Of the last turn; absent: there is none, or it has not ended. */
  readonly lastOutcome?: TurnOutcome;
  /** Questions that wait for a user; absent: none. */
  readonly waiting?: number;
  readonly forkedFrom?: SessionId;
  /** The session it works for, and as which agent; absent: it is a user's. */
  readonly spawnedBy?: { readonly sessionId: SessionId; readonly agent: string };
}

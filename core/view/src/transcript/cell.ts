import type {
  DeniedBy,
  EffectClass,
  FileChange,
  FinishReason,
  GrantScope,
  Interaction,
  InteractionAnswer,
  NoticeRecord,
  Origin,
  RuleVerdict,
  SessionCall,
  StepId,
  ToolArguments,
  ToolCallId,
  ToolOutcome,
  TurnId,
  TurnOutcome,
} from "@capstan/protocol";
import type { Spending } from "./spending.ts";

/**
 * One thing that a screen shows of a session, at the place where it began. An open cell may still change, in place and in its
 * type; a final one never does. Texts are inert, except where a field says that it is exact.
 */
export type Cell =
  | UserCell
  | AnswerCell
  | CallCell
  | InteractionCell
  | RetryCell
  | CompactionCell
  | RewindCell
  | GrantCell
  | RecoveryCell
  | NoticeCell
  | TurnEndCell;

interface CellBase {
  /** When it began, ms since 1970; for display only. */
  readonly at: number;
  readonly isFinal: boolean;
}

/** What the user said, or the plan that a turn carries out. */
export interface UserCell extends CellBase {
  readonly type: "user";
  readonly turnId: TurnId;
  readonly words: readonly Words[];
  readonly origin: Origin;
  /** The turn carries out a plan that was approved. */
  readonly isPlan: boolean;
}

export type Words =
  | { readonly type: "text"; readonly text: string }
  /** `bytes`: about how many. */
  | { readonly type: "media"; readonly mediaType: string; readonly name?: string; readonly bytes: number };

/** One answer of a model, with its thinking; its calls are cells of their own, right after it. */
export interface AnswerCell extends CellBase {
  readonly type: "answer";
  readonly stepId: StepId;
  /** `provider/id`; empty where the journal does not say. */
  readonly model: string;
  /** In the order in which the model wrote them; neighbours of one type are one. */
  readonly parts: readonly AnswerPart[];
  /** What the answer cites, each once. */
  readonly sources: readonly string[];
  readonly state: AnswerState;
}

export type AnswerPart =
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "text"; readonly text: string }
  /** A call whose arguments are being written: nothing of it counts yet. */
  | { readonly type: "call-draft"; readonly index: number; readonly tool: string; readonly characters: number }
  /** What a tool of the vendor's own did. */
  | { readonly type: "vendor-work"; readonly failed: boolean; readonly text: string };

export type AnswerState =
  | { readonly type: "streaming" }
  | { readonly type: "complete"; readonly reason: FinishReason }
  /** What is shown is all that there was. */
  | { readonly type: "abandoned"; readonly cause: "failed" | "cancelled" | "process-died"; readonly message?: string }
  /** The journal continues without saying how it ended. */
  | { readonly type: "unknown" };

/** A tool call: its place is that of its calling, in call order. */
export interface CallCell extends CellBase {
  readonly type: "call";
  readonly callId: ToolCallId;
  /** The tool as the model named it until the call is decided on, then its canonical name. */
  readonly tool: string;
  /** The action in words, one line; the tool's name until it is known. */
  readonly summary: string;
  readonly effect?: EffectClass;
  /** Exactly as the model wrote them: to be made inert by whoever shows them. */
  readonly arguments: ToolArguments;
  /** Exactly what the call wants of the session itself, such as a task list. */
  readonly session?: SessionCall;
  /** A user changed its arguments. */
  readonly isEdited: boolean;
  /** What the gatekeeper said of it last; `null`: nothing yet. `ask`: somebody has to approve it. */
  readonly decision: { readonly verdict: RuleVerdict; readonly reason: string } | null;
  readonly state: CallState;
}

export type CallState =
  | { readonly type: "written" }
  /** It waits for its start, or for an approval. */
  | { readonly type: "decided" }
  /** `output`: the last of it. `restarted`: a crash interrupted it, and it runs again. */
  | { readonly type: "running"; readonly startedAt: number; readonly output: string }
  /** The process died while it ran. */
  | { readonly type: "interrupted"; readonly finding: "ended" | "untouched" | "in-doubt"; readonly text: string }
  | { readonly type: "ended"; readonly end: CallEnd }
  /** The journal continues without saying how it ended. */
  | { readonly type: "unknown" };

/** How a call ended. */
export interface CallEnd {
  readonly outcome: ToolOutcome["type"];
  /** It did what it was meant to: a command that ended with another code than 0 did not. */
  readonly succeeded: boolean;
  /** A command's; `null`: a signal ended it. Absent: the call ran no command. */
  readonly exitCode?: number | null;
  readonly signal?: string;
  readonly deniedBy?: DeniedBy;
  readonly code?: string;
  /** What the model reads. */
  readonly content: string;
  readonly changes: readonly FileChange[];
  /** What it left in the workspace that something else will run or obey. */
  readonly runsLater: readonly string[];
  /** What of it was taken out of the workspace, each with the way back. */
  readonly quarantined: readonly string[];
  readonly durationMs: number;
}

/** An approval, question, plan review, limit or call in doubt. Open: it waits for a user. */
export interface InteractionCell extends CellBase {
  readonly type: "interaction";
  readonly turnId: TurnId;
  /** Exactly what is asked: to be shown through `decisionText`, and never shortened. */
  readonly interaction: Interaction;
  /** `null`: it waits. */
  readonly resolution: Resolution | null;
}

export interface Resolution {
  /** Exactly what was answered. `void`: the turn ended first; `expired`: nobody answered in time. */
  readonly answer: InteractionAnswer | { readonly type: "void" } | { readonly type: "expired" };
  readonly by: Origin;
  readonly at: number;
}

/** A model call failed and is made again; it stands where what it had shown stood, which is void. */
export interface RetryCell extends CellBase {
  readonly type: "retry";
  readonly message: string;
  /** The attempt that follows, from 2. */
  readonly attempt: number;
  readonly failedAt: number;
  readonly delayMs: number;
}

export interface CompactionCell extends CellBase {
  readonly type: "compaction";
  readonly messageCount: number;
  readonly state:
    | { readonly type: "running" }
    | { readonly type: "done"; readonly summary: string }
    | { readonly type: "failed"; readonly message: string }
    | { readonly type: "unknown" };
}

/** Turns, or their files, are taken back or brought back. */
export interface RewindCell extends CellBase {
  readonly type: "rewind";
  readonly direction: "back" | "forth";
  readonly keepTurns: number;
  readonly conversation: boolean;
  /** The turns that leave the conversation, or come back into it, oldest first. */
  readonly turns: readonly TurnId[];
  /** Files to restore. */
  readonly fileCount: number;
  readonly by: Origin;
  /** `null`: files are being restored. */
  readonly result: RewindResult | null;
}

export interface RewindResult {
  /** `removed`: the file did not exist before. Paths relative to the working directory where they lie in it. */
  readonly restored: readonly { readonly path: string; readonly removed: boolean }[];
  /** Files that were left alone. */
  readonly conflicts: readonly { readonly path: string; readonly reason: string }[];
}

/** An approval was remembered, or one that was is revoked. */
export interface GrantCell extends CellBase {
  readonly type: "grant";
  readonly change:
    | { readonly type: "added"; readonly scope: GrantScope; readonly rule: string }
    | { readonly type: "revoked"; readonly grantId: string };
}

/** A process opened the journal and found work in flight. */
export interface RecoveryCell extends CellBase {
  readonly type: "recovery";
  readonly found: string;
}

export interface NoticeCell extends CellBase {
  readonly type: "notice";
  readonly level: NoticeRecord["level"];
  readonly code: string;
  readonly text: string;
}

export interface TurnEndCell extends CellBase {
  readonly type: "turn-end";
  readonly turnId: TurnId;
  readonly outcome: TurnOutcome;
  readonly message?: string;
  /** What can be done about a failure of the provider's. */
  readonly hint?: string;
  /** The turn left no trace in the conversation; `draft`: the words, to be sent again. */
  readonly rolledBack: boolean;
  readonly draft?: readonly Words[];
  readonly durationMs: number;
  readonly spending: Spending;
}

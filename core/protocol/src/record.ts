import type {
  Action,
  Checkpoint,
  FileChange,
  FileConflict,
  FileEffect,
  FileObservation,
  Finding,
  SettleEvidence,
  ToolOutcome,
} from "./action.ts";
import type { Grant } from "./gate/grant.ts";
import type { InteractionId, SessionId, StepId, ToolCallId, TurnId } from "./ids.ts";
import type { Interaction, InteractionEnd, Origin, PlanToCarryOut } from "./gate/interaction.ts";
import type { HookRecord } from "./gate/hook.ts";
import type { ProposalRecord } from "./gate/proposal.ts";
import type { JsonObject } from "./json.ts";
import type { AssistantMessage, ToolCallBlock, UserContent } from "./message.ts";
import type { CompactionRecord } from "./model/compaction-record.ts";
import type { FinishReason, ProviderFailure, Usage } from "./model/model-stream.ts";
import type { TurnOutcome } from "./outcome.ts";
import type { Judgement, ToolLimits } from "./gate/policy.ts";
import type { SessionConfig, Workspace } from "./session-config.ts";

/** What calls of a model have used together. */
export interface Spent {
  readonly modelCalls: number;
  readonly usage: Usage;
  /** USD; `null`: the price of one of them is not known. */
  readonly costUsd: number | null;
}

/** A fact about the workspace, for the model. `name` is stable; `text` is what the model reads. */
export interface ContextPart {
  readonly name: string;
  readonly text: string;
  /** It was named and is not shown (`text` is empty): how large it is, and why. */
  readonly refused?: { readonly bytes: number; readonly reason: string };
}

/** One thing that happened in a session. What no record says did not happen. */
export type JournalRecord =
  | SessionRecord
  | TurnRecord
  | StepRecord
  | ToolRecord
  | InteractionRecord
  | CompactionRecord
  | RewindRecord
  | ProposalRecord
  | HookRecord
  | NoticeRecord;

/** Whose file it was, and the id of the session there; empty where the file names none. */
export interface ImportSource {
  readonly agent: string;
  readonly sessionId: string;
  readonly lastSeq: number;
}

export type SessionRecord =
  | {
      readonly type: "session-started";
      readonly sessionId: SessionId;
      readonly workspace: Workspace;
      readonly origin: Origin;
      readonly version: string;
      readonly forkedFrom?: { readonly sessionId: SessionId; readonly seq: number };
      /** The call of another session that this one works for. */
      readonly spawnedBy?: { readonly sessionId: SessionId; readonly callId: ToolCallId; readonly agent: string };
      /** The records up to `lastSeq` were taken over from a file: nobody here saw them happen. */
      readonly importedFrom?: ImportSource;
    }
  | { readonly type: "session-configured"; readonly config: SessionConfig }
  /** A user gave the session a title, or took it away (empty); the last one counts, whatever is taken back afterwards. */
  | { readonly type: "session-titled"; readonly title: string; readonly origin: Origin }
  /** A process opened the journal and found work in flight. */
  | { readonly type: "session-recovered"; readonly found: string };

export type TurnRecord =
  /** A user's input that waits for the running work to end. `mode`: the turn runs in plan mode, whatever the session's mode is. */
  | {
      readonly type: "turn-queued";
      readonly turnId: TurnId;
      readonly content: readonly UserContent[];
      readonly origin: Origin;
      readonly mode?: "plan";
    }
  /** A waiting input was changed, or left the queue without a turn of its own. */
  | { readonly type: "queue-changed"; readonly turnId: TurnId; readonly change: QueueOutcome; readonly origin: Origin }
  /** Words for the open turn: they reach the model before its next step. `inputId` is their own id. */
  | {
      readonly type: "turn-steered";
      readonly turnId: TurnId;
      readonly inputId: TurnId;
      readonly content: readonly UserContent[];
      readonly origin: Origin;
    }
  | {
      readonly type: "turn-started";
      readonly turnId: TurnId;
      readonly content: readonly UserContent[];
      readonly origin: Origin;
      /** It runs in plan mode, whatever the session's mode is: whoever began it may only ask. */
      readonly mode?: "plan";
      /** The turn that this one continues: it carries out its approved plan (`plan`), or asks for its answer again. */
      readonly follows?: TurnId;
      /** What the user approved, when it carries out a plan. */
      readonly plan?: PlanToCarryOut;
      /** A user's own command: the turn is this call, and asks no model. */
      readonly call?: ToolCallBlock;
    }
  | { readonly type: "context-packed"; readonly turnId: TurnId; readonly parts: readonly ContextPart[] }
  | {
      readonly type: "turn-ended";
      readonly turnId: TurnId;
      readonly outcome: TurnOutcome;
      /** What people read about an outcome other than `done`. */
      readonly message?: string;
      readonly failure?: ProviderFailure;
      /** The turn left no trace in the conversation; `draft` hands the user's words back. */
      readonly rolledBack: boolean;
      readonly draft?: readonly UserContent[];
    };

/** What became of a waiting input. */
export type QueueOutcome =
  | { readonly type: "removed" }
  /** It is returned to the user as a draft: its turn was stopped before the model read it. */
  | { readonly type: "handed-back"; readonly content: readonly UserContent[] }
  | { readonly type: "replaced"; readonly content: readonly UserContent[] }
  /** `before`: the input it comes before; `null`: it comes last. */
  | { readonly type: "moved"; readonly before: TurnId | null };

export type StepRecord =
  | {
      readonly type: "step-started";
      readonly stepId: StepId;
      readonly turnId: TurnId;
      readonly attempt: number;
      readonly model: string;
    }
  | { readonly type: "text-delta"; readonly stepId: StepId; readonly delta: string }
  | { readonly type: "thinking-delta"; readonly stepId: StepId; readonly delta: string }
  | {
      readonly type: "tool-arguments-delta";
      readonly stepId: StepId;
      readonly index: number;
      readonly name: string;
      readonly delta: string;
    }
  /** The model call failed and will be made again; whatever was shown of it is void. */
  | {
      readonly type: "step-retrying";
      readonly stepId: StepId;
      readonly attempt: number;
      readonly failure: ProviderFailure;
      readonly delayMs: number;
    }
  | {
      readonly type: "step-completed";
      readonly stepId: StepId;
      readonly message: AssistantMessage;
      readonly reason: FinishReason;
      readonly usage: Usage;
      readonly costUsd: number | null;
      readonly responseId?: string;
    }
  /** The step gave no whole answer: it failed for good, was cancelled, or the process died. `text` and `thinking` had been shown. */
  | {
      readonly type: "step-abandoned";
      readonly stepId: StepId;
      readonly cause: "failed" | "cancelled" | "process-died";
      readonly text: string;
      readonly thinking?: string;
      readonly failure?: ProviderFailure;
    };

export type ToolRecord =
  /** The gatekeeper's word on a call, with the action it judged. */
  | {
      readonly type: "tool-decided";
      readonly callId: ToolCallId;
      readonly action: Action;
      readonly judgement: Judgement;
    }
  /** The call cannot be prepared on what is there now: it is prepared again when the calls before it have ended. */
  | { readonly type: "tool-deferred"; readonly callId: ToolCallId }
  /** The intent, durable before an effectful call starts. */
  | {
      readonly type: "tool-started";
      readonly callId: ToolCallId;
      readonly digest: string;
      readonly settle: SettleEvidence;
      /** The files it may change, as they were; absent for reads, and where nothing could be kept. */
      readonly checkpoint?: Checkpoint;
    }
  /** The process died while the call ran; this is what could be proved of it since. */
  | {
      readonly type: "tool-probed";
      readonly callId: ToolCallId;
      readonly finding: Finding;
      /** What has changed in the files since the call began. */
      readonly effects: readonly FileEffect[];
    }
  /** The call is to run again: it was proved not to have happened, or somebody chose so. */
  | { readonly type: "tool-restarted"; readonly callId: ToolCallId; readonly reason: "untouched" | "chosen" }
  | {
      readonly type: "tool-output-delta";
      readonly callId: ToolCallId;
      readonly stream: "stdout" | "stderr";
      readonly delta: string;
    }
  | {
      readonly type: "tool-finished";
      readonly callId: ToolCallId;
      readonly outcome: ToolOutcome;
      readonly changes: readonly FileChange[];
      readonly observed: readonly FileObservation[];
      readonly durationMs: number;
      /** What changed in the files, so that it can be undone. */
      readonly effects?: readonly FileEffect[];
      /** What it would do to files; `outcome` is `proposed` then. */
      readonly proposed?: readonly FileEffect[];
      /** What the rest of the turn is held to from here on. */
      readonly limits?: ToolLimits;
      /** What models were asked for by another session that did the work. It counts in this turn's limits. */
      readonly spent?: Spent;
    }
  /** What a call that was answered before it had ended (it was cancelled) did to files. */
  | {
      readonly type: "tool-effects";
      readonly turnId: TurnId;
      readonly callId: ToolCallId;
      readonly effects: readonly FileEffect[];
    };

export type InteractionRecord =
  | { readonly type: "interaction-opened"; readonly interaction: Interaction; readonly turnId: TurnId }
  | {
      readonly type: "interaction-resolved";
      readonly interactionId: InteractionId;
      readonly answer: InteractionEnd;
      readonly origin: Origin;
      /** Of the submission, so that whoever answered can see whether it was theirs that counted. */
      readonly answerId?: string;
    }
  /** An approval is remembered: its rule holds for the session from here on, and further where its scope says so. */
  | { readonly type: "grant-added"; readonly grant: Grant }
  /** A remembered approval was taken back since: its rule holds no more. */
  | { readonly type: "grant-revoked"; readonly grantId: string }
  /** A user changed a call's arguments: it is prepared and judged again. */
  | { readonly type: "call-edited"; readonly callId: ToolCallId; readonly arguments: JsonObject };

export type RewindRecord =
  /** Turns are taken back: files first, as `files` says (`before`: what must be there now), then the conversation. */
  | {
      readonly type: "rewind-started";
      readonly rewindId: string;
      readonly direction: "back" | "forth";
      /** Turns that stay, counted from the first; going forth: as many as before the rewind. */
      readonly keepTurns: number;
      readonly conversation: boolean;
      readonly files: readonly FileEffect[];
      readonly origin: Origin;
      /** Of the submission that asked for it, so that repeating that one changes nothing. */
      readonly submissionId?: string;
    }
  | {
      readonly type: "rewind-finished";
      readonly rewindId: string;
      readonly restored: readonly FileEffect[];
      /** Files that were left alone, with the reason. */
      readonly conflicts: readonly FileConflict[];
    };

/** A line for people that the model never sees. */
export interface NoticeRecord {
  readonly type: "notice";
  readonly level: "info" | "warning" | "error";
  readonly code: string;
  readonly text: string;
  /** Of the submission that it answers: nothing else came of that one, and nothing comes of its repetition. */
  readonly submissionId?: string;
}

/** A record with its place in the journal, as every subscriber receives it. `at`: ms since 1970, for display only. */
export interface SessionEvent {
  readonly seq: number;
  readonly at: number;
  readonly record: JournalRecord;
}

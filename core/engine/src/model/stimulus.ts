import type {
  Action,
  Checkpoint,
  ContextPart,
  EffectClass,
  FileChange,
  FileConflict,
  FileEffect,
  FileObservation,
  Finding,
  HookAnswer,
  HookOutcome,
  JournalRecord,
  ModelFinish,
  ModelStreamPart,
  NoticeRecord,
  Origin,
  ProviderFailure,
  Question,
  Role,
  SettleEvidence,
  Spent,
  StepId,
  ResolvedSubmission,
  ToolCallId,
  ToolDefinition,
  ToolOutcome,
  TurnId,
  ToolLimits,
} from "@capstan/protocol";
import type { SessionState } from "@capstan/session";

/**
 * A call made ready: its frozen action, with what it would do to files for people, or the reason why it must not run. `effect`: that of its tool,
 * where the reason lies in the workspace, which the calls before it may change.
 */
export type PreparedCall = { readonly callId: ToolCallId } & (
  | { readonly type: "action"; readonly action: Action; readonly changes?: readonly FileChange[] }
  | { readonly type: "refused"; readonly outcome: ToolOutcome; readonly effect?: EffectClass }
);

/** What a look at a call that was under way has shown. */
export interface Probe {
  readonly callId: ToolCallId;
  readonly finding: Finding;
  /** What changed in the files since the call began. */
  readonly effects: readonly FileEffect[];
}

/**
 * Anything `decide` consumes. Outcomes of effects carry the ids of what they belong to; those that no longer fit change nothing.
 * `at`: when it came, ms since 1970; only what expires asks for it. `opened`: see there.
 */
export type Stimulus = Happening & { readonly at?: number; readonly opened?: SessionState["opened"] };

type Happening =
  | {
      readonly type: "submission";
      readonly submission: ResolvedSubmission;
      readonly origin: Origin;
      readonly role: Role;
    }
  | {
      readonly type: "context-packed";
      readonly turnId: TurnId;
      readonly parts: readonly ContextPart[];
      /** Results that are shown cut, and the files in which they are now. */
      readonly kept?: Extract<JournalRecord, { type: "results-kept" }>["files"];
    }
  | {
      readonly type: "model-parts";
      readonly stepId: StepId;
      readonly attempt: number;
      readonly parts: readonly ModelStreamPart[];
    }
  | {
      readonly type: "model-finished";
      readonly stepId: StepId;
      readonly attempt: number;
      readonly finish: ModelFinish;
      /** Pieces that came with the end and were not handed on before. */
      readonly parts?: readonly ModelStreamPart[];
    }
  /** `chance`: a number in [0, 1) for the jitter of the retry delay. */
  | {
      readonly type: "model-failed";
      readonly stepId: StepId;
      readonly attempt: number;
      readonly failure: ProviderFailure;
      readonly chance: number;
    }
  | { readonly type: "actions-prepared"; readonly stepId: StepId; readonly prepared: readonly PreparedCall[] }
  | {
      readonly type: "tool-staged";
      readonly callId: ToolCallId;
      readonly settle: SettleEvidence;
      readonly proposal: string;
      readonly changes: readonly FileChange[];
      readonly checkpoint?: Checkpoint;
      /** What it would do to files, where it is only to be proposed. */
      readonly proposed?: readonly FileEffect[];
    }
  | {
      readonly type: "tool-output";
      readonly callId: ToolCallId;
      readonly stream: "stdout" | "stderr";
      readonly delta: string;
    }
  /**
   * A call under way asks its user. `asker`: on whose behalf. `host`: whether it may reach this place; where the rules speak of it, they answer,
   * and the first option is yes.
   */
  | {
      readonly type: "tool-asks";
      readonly callId: ToolCallId;
      readonly asker: string;
      readonly questions: readonly Question[];
      readonly host?: string;
    }
  | {
      readonly type: "tool-ended";
      readonly callId: ToolCallId;
      readonly outcome: ToolOutcome;
      readonly changes: readonly FileChange[];
      readonly observed: readonly FileObservation[];
      readonly durationMs: number;
      readonly effects?: readonly FileEffect[];
      readonly proposed?: readonly FileEffect[];
      readonly limits?: ToolLimits;
      readonly spent?: Spent;
    }
  /** A call that was answered before has ended, and this is what it did. */
  | {
      readonly type: "effects-seen";
      readonly turnId: TurnId;
      readonly callId: ToolCallId;
      readonly effects: readonly FileEffect[];
    }
  | { readonly type: "calls-probed"; readonly stepId: StepId; readonly probes: readonly Probe[] }
  | {
      readonly type: "files-restored";
      readonly restoreId: string;
      readonly restored: readonly FileEffect[];
      readonly conflicts: readonly FileConflict[];
    }
  /** Where tools come from has others now (`null`: the same, for this session), and what people should know of that; nobody can submit this. */
  | {
      readonly type: "tools-changed";
      readonly tools: readonly ToolDefinition[] | null;
      readonly notices: readonly NoticeRecord[];
    }
  | {
      readonly type: "hooks-ended";
      readonly runId: string;
      readonly outcomes: readonly HookOutcome[];
      readonly answer: HookAnswer;
    }
  /** This process lets go of the session. */
  | { readonly type: "session-closing" }
  | { readonly type: "timer-fired"; readonly timerId: string }
  | { readonly type: "process-restarted" };

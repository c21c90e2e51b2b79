import type {
  Action,
  Checkpoint,
  FileChange,
  FileConflict,
  FileEffect,
  Grant,
  Interaction,
  InteractionId,
  Message,
  Origin,
  Proposal,
  ProposedFile,
  SessionConfig,
  SessionId,
  SettleEvidence,
  StepId,
  Task,
  ToolCallBlock,
  ToolOutcome,
  TurnId,
  ToolLimits,
  TurnOutcome,
  Usage,
  UserContent,
  Workspace,
} from "@capstan/protocol";
import { noUsage } from "@capstan/protocol";
import type { Shortened } from "@capstan/context";
import type { HookMemory } from "@capstan/hook-points";
import type { Summary, Written } from "@capstan/wording";
import { type LoopMemory, noLoop } from "@capstan/policy";
import type { ApprovedPlan, RewindMark, TurnMark } from "./marks.ts";

/** Everything a session is at one moment: the fold of its journal. Plain JSON. */
export interface SessionState {
  readonly sessionId: SessionId | null;
  readonly workspace: Workspace | null;
  readonly config: SessionConfig | null;
  /** As a user gave it. `null`: nobody has; a list then shows the first words. */
  readonly title: string | null;
  readonly operation: Operation;
  /** Inputs that wait for the running work to end, oldest first. */
  readonly queued: readonly QueuedTurn[];
  /** Turns ever begun or queued, so that a repeated submission changes nothing. */
  readonly turnIds: readonly TurnId[];
  /** Submissions without a turn that counted, newest last, so that a repeated one changes nothing. */
  readonly submissionIds: readonly string[];
  /** Closed messages, in order; the open batch is added by the projection. */
  readonly conversation: readonly Message[];
  /** What the model sees in place of the first messages. */
  readonly summary: Summary | null;
  /** All that were made, by how many messages they stand for: another model may have room for a shorter or a longer one. */
  readonly summaries: readonly Summary[];
  /** The budget in tokens for which `summary` or `shortened` was chosen; with more, originals may come back. */
  readonly summaryBudget: number;
  /** Long tool results that the model sees cut. */
  readonly shortened: Shortened | null;
  readonly compactions: number;
  /** A summary that is made beside what runs, of what no rewind has touched since; at most one. */
  readonly background: OpenSummary | null;
  /** How many messages the last summary stood for that was given up beside a turn: no other is tried before one can stand for many more. */
  readonly triedMessages: number;
  /** What the model last learned of the workspace, by part name. */
  readonly knownFacts: Readonly<Record<string, string>>;
  /** SHA-256 of file versions the model has seen, by real path. */
  readonly knownFiles: Readonly<Record<string, string>>;
  /** The last call made and how often in a row. */
  readonly repeated: LoopMemory;
  /** Names of models that failed for good and have not answered since: each is asked once a turn, and not waited for. */
  readonly failing: readonly string[];
  /** Turns that left a trace and were not taken back, oldest first. */
  readonly turns: readonly TurnMark[];
  /** What was taken back since the last turn, oldest first: each can be brought back. */
  readonly rewinds: readonly RewindMark[];
  /** What the vendor counted of the last call with its answer, and how many messages that were; `null`: not known, or no longer true. */
  readonly measured: { readonly model: string; readonly messages: number; readonly tokens: number } | null;
  /** By model, `provider/id`: what its vendor counted, as a part of what was guessed, and how many messages there were then. */
  readonly calibration: Readonly<Record<string, { readonly ratio: number; readonly messages: number }>>;
  readonly usage: Usage;
  /** `null` once a step without known prices was made. */
  readonly costUsd: number | null;
  readonly lastOutcome: TurnOutcome | null;
  /** Approvals remembered in this session, oldest first. */
  readonly grants: readonly Grant[];
  readonly proposals: Proposals;
  /** The model's task list. */
  readonly tasks: readonly Task[];
  /** Deferred tools that the model has found, in that order. */
  readonly foundTools: readonly string[];
  /** A plan that a user approved and whose turn has not begun: it comes before everything that waits. */
  readonly approvedPlan: ApprovedPlan | null;
  /** What hooks were asked and said; absent: none ever was. */
  readonly hooks?: HookMemory;
  /** A process has begun to work in the session, and no hook was informed so far; it never is in a fold. */
  readonly opened?: "startup" | "resume";
  /** ms since 1970 of the stimulus that is decided on; 0 in a fold. */
  readonly now: number;
}

/** Changes of files that were proposed. */
export interface Proposals {
  /** Those that are neither applied nor refused, oldest first; a turn that was taken back leaves its own. */
  readonly open: readonly Proposal[];
  /** How many were ever made, and how often some were applied: their ids count on. */
  readonly made: number;
  readonly applies: number;
}

/** What is happening. At most one step streams, one batch executes and one compaction runs: they are one union. A summary beside it is in `background`. */
export type Operation =
  | { readonly type: "idle" }
  | { readonly type: "preparing"; readonly turn: OpenTurn }
  | { readonly type: "streaming"; readonly turn: OpenTurn; readonly step: OpenStep }
  | { readonly type: "tool-loop"; readonly turn: OpenTurn; readonly batch: Batch }
  | { readonly type: "interaction"; readonly turn: OpenTurn; readonly interaction: Interaction }
  | ({ readonly type: "summarizing" } & OpenCompaction)
  /** The turn waits for a summary, without which its next request does not fit. */
  | ({ readonly type: "compacting"; readonly turn: OpenTurn } & OpenCompaction)
  | {
      readonly type: "recovery";
      readonly turn: OpenTurn;
      readonly batch: Batch;
      readonly interaction: Interaction;
    }
  /** Files are being restored; the conversation follows when they are. */
  | {
      readonly type: "rewinding";
      readonly rewindId: string;
      readonly direction: "back" | "forth";
      readonly keepTurns: number;
      readonly conversation: boolean;
      readonly files: readonly FileEffect[];
    }
  /** Proposed changes are being written. */
  | {
      readonly type: "applying";
      readonly applyId: string;
      readonly chosen: readonly ProposedFile[];
      readonly files: readonly FileEffect[];
      readonly left: readonly FileConflict[];
    };

/** Older messages are being summarised. */
export interface OpenCompaction {
  readonly stepId: StepId;
  readonly messageCount: number;
  readonly attempt: number;
  readonly waiting: boolean;
  /** Who is asked, `provider/id`; `null`: the model of the turn. */
  readonly model: string | null;
}

/** A summary that is made before it is needed. */
export interface OpenSummary extends OpenCompaction {
  /** What it may cost at most, in USD: nobody else may spend that. */
  readonly mayCostUsd: number;
}

export interface QueuedTurn {
  readonly turnId: TurnId;
  readonly content: readonly UserContent[];
  readonly origin: Origin;
  /** It runs in plan mode, whatever the session's mode is. */
  readonly mode?: "plan";
}

/** Words that came for a turn under way. `isRead`: they are part of the conversation. */
export interface SteeringInput {
  readonly inputId: TurnId;
  readonly content: readonly UserContent[];
  readonly isRead: boolean;
}

/** A turn under way, with what its limits and its end need to know. */
export interface OpenTurn {
  readonly turnId: TurnId;
  readonly content: readonly UserContent[];
  readonly origin: Origin;
  /** The turn whose approved plan it carries out; `null`: none. */
  readonly follows: TurnId | null;
  /** `null`: the session's mode holds. */
  readonly mode: "plan" | null;
  /** Words that came while it ran, oldest first. */
  readonly steering: readonly SteeringInput[];
  /** The conversation's length, the known facts, the summary and the tasks before the turn, for a roll-back. */
  readonly messagesBefore: number;
  readonly knownBefore: Readonly<Record<string, string>>;
  readonly summaryBefore: Summary | null;
  readonly tasksBefore: readonly Task[];
  /** Messages before what the model has said since the turn began or since it last presented a plan. */
  readonly saidFrom: number;
  readonly steps: number;
  readonly batches: number;
  readonly interactions: number;
  /** Any tool was started: the turn can no longer be undone by forgetting it. */
  readonly toolRan: boolean;
  readonly deniedCalls: number;
  readonly proposals: number;
  readonly tokens: number;
  readonly costUsd: number;
  /** A vendor said that the last request was too long, or the answer ended because the window was full. */
  readonly overflowed: boolean;
  /** The model asked last, `provider/id`: a turn that had to change it stays with the other. */
  readonly model: string | null;
  /** How often a user allowed as much again. */
  readonly extensions: number;
  /** What its writing calls have written. */
  readonly written: Written;
  /** What the rest of it is held to; absent: nothing but the session's own settings. */
  readonly limits?: readonly ToolLimits[];
}

/** A model call under way. `waiting`: it failed and a timer runs until the next attempt. */
export interface OpenStep {
  readonly stepId: StepId;
  readonly attempt: number;
  /** The model that is asked, `provider/id`, and the attempt with which it was its turn. */
  readonly model: string;
  readonly firstAttempt: number;
  readonly waiting: boolean;
  /** Its answer is over without being whole, and hooks are asked before the next step. */
  readonly abandoned?: true;
  readonly text: string;
  readonly thinking: string;
  readonly oddities: number;
}

/** The tool calls of one step, in call order. */
export interface Batch {
  readonly stepId: StepId;
  readonly calls: readonly PendingCall[];
  /** It is a user's own command, and no model asked for it. */
  readonly isUsers?: true;
  /** Ids of calls whose arguments a user changed. */
  readonly edited: readonly string[];
  /** The answer by which a user takes back what the calls in doubt did, while the files are being restored; `null`: none. */
  readonly undo: InteractionId | null;
}

export type PendingCall =
  | { readonly type: "new"; readonly call: ToolCallBlock }
  /** It is prepared when the calls before it have ended. */
  | { readonly type: "deferred"; readonly call: ToolCallBlock }
  | {
      readonly type: "asking";
      readonly call: ToolCallBlock;
      readonly action: Action;
      /** `null`: decided, and not asked yet. */
      readonly interaction: Interaction | null;
    }
  | {
      readonly type: "allowed";
      readonly call: ToolCallBlock;
      readonly action: Action;
      /** By a user, who saw exactly this action; else by a rule, which holds only as long as it is there. */
      readonly approved: boolean;
    }
  | {
      readonly type: "running";
      readonly call: ToolCallBlock;
      readonly action: Action;
      readonly approved: boolean;
      readonly settle: SettleEvidence;
      readonly output: string;
      readonly checkpoint: Checkpoint | null;
      /** What it asks its user now; `null`: nothing. */
      readonly question: Interaction | null;
      /** The process that ran it died: nothing of it arrives any more, and it has to be settled. */
      readonly interrupted: boolean;
      /** After that: what is known of it, and what changed in the files since it began. */
      readonly probed: { readonly text: string; readonly effects: readonly FileEffect[] } | null;
    }
  | {
      readonly type: "settled";
      readonly call: ToolCallBlock;
      readonly action: Action | null;
      readonly outcome: ToolOutcome;
      readonly changes: readonly FileChange[];
    };

/** A call on which nothing was decided, or whose decision a cut journal lost the rest of. */
export function isUndecided(pending: PendingCall): boolean {
  return pending.type === "new" || (pending.type === "asking" && pending.interaction === null);
}

export const initialState: SessionState = {
  sessionId: null,
  workspace: null,
  config: null,
  title: null,
  operation: { type: "idle" },
  queued: [],
  turnIds: [],
  submissionIds: [],
  conversation: [],
  summary: null,
  summaries: [],
  summaryBudget: 0,
  shortened: null,
  compactions: 0,
  background: null,
  triedMessages: 0,
  knownFacts: {},
  knownFiles: {},
  repeated: noLoop,
  failing: [],
  turns: [],
  rewinds: [],
  measured: null,
  calibration: {},
  usage: noUsage,
  costUsd: 0,
  lastOutcome: null,
  grants: [],
  proposals: { open: [], made: 0, applies: 0 },
  tasks: [],
  foundTools: [],
  approvedPlan: null,
  now: 0,
};

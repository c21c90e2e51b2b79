import type { Task } from "./action.ts";
import type { AppError } from "./errors.ts";
import type { Grant } from "./gate/grant.ts";
import type { SessionId, StepId, ToolCallId, TurnId } from "./ids.ts";
import type { Interaction, Origin } from "./gate/interaction.ts";
import type { UserContent, Message } from "./message.ts";
import type { Usage } from "./model-stream.ts";
import type { TurnOutcome } from "./outcome.ts";
import type { SessionEvent } from "./record.ts";
import type { SessionConfig, Workspace } from "./session-config.ts";
import type { Submission } from "./submission.ts";

/** What is going on in a session, for status lines. */
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
  | { readonly type: "awaiting-person"; readonly turnId: TurnId }
  | { readonly type: "summarizing" }
  | { readonly type: "recovery"; readonly turnId: TurnId }
  | { readonly type: "rewinding" };

/** A session as of one sequence number: with the events after it, a client misses nothing and sees nothing twice. */
export interface SessionSnapshot {
  readonly sessionId: SessionId;
  readonly seq: number;
  readonly workspace: Workspace;
  readonly config: SessionConfig;
  readonly activity: Activity;
  readonly conversation: readonly Message[];
  readonly pending: readonly Interaction[];
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
  readonly lastOutcome?: TurnOutcome;
  readonly forkedFrom?: SessionId;
}

/** An open session, as a frontend holds it. */
export interface SessionClient {
  readonly id: SessionId;
  /** Number of the last record before this opening: what came after it settled what an earlier process had left. */
  readonly openedAfter: number;
  /** Resolves when the journal can no longer be written; the session has stopped and keeps what was acknowledged. */
  readonly fault: Promise<AppError>;
  /** Resolves when the submission was decided on and its records are durable and published. */
  submit(submission: Submission): Promise<void>;
  /** The session now; events after `seq` follow through `subscribe`. */
  snapshot(): SessionSnapshot;
  /** Calls `listener` for every event from now on, in order, after it became durable. Returns the unsubscriber. */
  subscribe(listener: (event: SessionEvent) => void): () => void;
  /** Every kept event after `seq`, oldest first. */
  events(after: number): Promise<readonly SessionEvent[]>;
  /** Stops what runs (open work stays in flight in the journal) and frees everything. */
  close(): Promise<void>;
}

export type SessionTarget =
  | { readonly type: "new"; readonly id?: SessionId }
  | { readonly type: "resume"; readonly id: SessionId }
  | { readonly type: "fork"; readonly id: SessionId };

/** The engine, as frontends see it; local or remote. */
export interface EngineClient {
  /** @throws AppError `session.unknown`, `session.busy`, `storage.*` */
  open(target: SessionTarget, origin: Origin): Promise<SessionClient>;
  listSessions(): Promise<readonly SessionSummary[]>;
  /** @throws AppError `session.unknown` */
  readSession(id: SessionId): Promise<readonly SessionEvent[]>;
  /** Full id for an id or unique prefix. @throws AppError `session.unknown`, `session.ambiguous` */
  resolveSession(idOrPrefix: string): Promise<SessionId>;
  newTurnId(): TurnId;
  close(): Promise<void>;
}

/** Plain text as user content. */
export function userText(text: string): readonly UserContent[] {
  return [{ type: "text", text }];
}

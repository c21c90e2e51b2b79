import type { SessionTarget } from "./client/engine-client.ts";
import type { Receipt, ResolvedSubmission } from "./client/submission.ts";
import type { AppError } from "./errors.ts";
import type { SessionId, TurnId } from "./ids.ts";
import type { Origin } from "./gate/interaction.ts";
import type { UserContent } from "./message.ts";
import type { SessionEvent } from "./record.ts";
import type { SessionSnapshot, SessionSummary } from "./session-snapshot.ts";

/** An open session, as a frontend holds it. */
export interface SessionHandle {
  readonly id: SessionId;
  /** Number of the last record before this opening: what came after it settled what an earlier process had left. */
  readonly openedAfter: number;
  /** Resolves when the journal can no longer be written; the session has stopped and keeps what was acknowledged. */
  readonly fault: Promise<AppError>;
  /** Resolves when the submission was decided on and its records are durable and published. */
  submit(submission: ResolvedSubmission): Promise<Receipt>;
  /** The session now; events after `seq` follow through `subscribe`. */
  snapshot(): SessionSnapshot;
  /** Calls `listener` for every event from now on, in order, after it became durable. Returns the unsubscriber. */
  subscribe(listener: (event: SessionEvent) => void): () => void;
  /** Every kept event after `seq`, oldest first. */
  events(after: number): Promise<readonly SessionEvent[]>;
  /** Stops what runs (open work stays in flight in the journal) and frees everything. */
  close(): Promise<void>;
}

/** The engine, as frontends see it; local or remote. */
export interface EngineHandle {
  /** @throws AppError `session.unknown`, `session.busy`, `storage.*` */
  open(target: SessionTarget, origin: Origin): Promise<SessionHandle>;
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

import type {
  Draft,
  Interaction,
  JournalRecord,
  JsonObject,
  SessionEvent,
  SessionId,
  SessionSummary,
} from "@capstan/protocol";
import type { Grants } from "./grants.ts";
import type { HeldLease, LeaseAnswer, LeaseClaim } from "./lease.ts";

/**
 * Journals of all sessions, their index, the inbox, answers on their way, and grants.
 *
 * Contract (`sessionStoreContract` in testkit):
 * - `append` is one transaction: all records or none. Sequence numbers start at 1, are given out without a hole and never again.
 * - It fails with `session.busy` when `after` is not the last number: somebody else wrote.
 * - With `flush` the records are on disk when it resolves; without, they survive the death of this process.
 * - Deltas superseded by an appended record (`supersededScope`) are gone after the same transaction, and their numbers stay gaps.
 * - Index (`list`) and inbox (`pendingInteractions`) change in the same transaction as the records they follow from.
 * - Every record but the deltas carries the hash of its predecessor (`ChainedEvent`); `check` finds the first broken link.
 * - One writer: `claim` gives out a new generation in one transaction, and an append with another generation than the last one
 *   given out fails with `session.busy`, also when its sequence number would fit; so does one without, while a lease is held.
 * - A saved state is a copy for speed: losing it loses nothing.
 * - Posted answers wait beside the journal; they are no part of it.
 * - What is read is in today's version (`readRecord`), whatever version is stored. A record of a version or type that is not known
 *   here fails with `storage.newer-version`, and everything stays as it is.
 * - A failed append leaves the store as before; storage errors are `storage.full` or `storage.failed`.
 */
export interface SessionStore {
  /** Approvals that hold beyond a session. */
  readonly grants: Grants;
  append(sessionId: SessionId, batch: AppendBatch): Promise<readonly SessionEvent[]>;
  /**
   * Kept events with a number greater than `after`, oldest first; empty for an unknown session. With `limit` about the first so
   * many (what is stored together comes together), and at least one while there is one.
   */
  read(sessionId: SessionId, after: number, limit?: number): Promise<readonly SessionEvent[]>;
  /**
   * The newest kept events with a number below `before` (`null`: the newest of all), oldest first: about the last `limit` (what is
   * stored together comes together), and at least one while there is one.
   */
  readBefore(sessionId: SessionId, before: number | null, limit: number): Promise<readonly SessionEvent[]>;
  /** Newest first by last activity. */
  list(): Promise<readonly SessionSummary[]>;
  /** Ids that begin with `prefix`, at most `limit`. */
  findIds(prefix: string, limit: number): Promise<readonly SessionId[]>;
  /** Makes the caller the session's only writer, unless a holder stands in the way. The session need not exist yet. */
  claim(sessionId: SessionId, claim: LeaseClaim): Promise<LeaseAnswer>;
  /** Says that the holder lives. @returns false when the lease is no longer the caller's */
  renew(sessionId: SessionId, generation: number, beatMs: number): Promise<boolean>;
  /** Gives the lease back; nothing happens when it is no longer the caller's. */
  release(sessionId: SessionId, generation: number): Promise<void>;
  /** Who writes to the session; `null`: nobody. */
  holder(sessionId: SessionId): Promise<HeldLease | null>;
  /** Replaces the session's saved state. */
  saveState(sessionId: SessionId, saved: SavedState): Promise<void>;
  /** The saved state, if there is one of this format that fits the journal. */
  loadState(sessionId: SessionId, format: string): Promise<SavedState | null>;
  /** Kept events with their place in the chain, oldest first; `after` and `limit` as in `read`. @throws AppError `storage.corrupt` */
  readChained(sessionId: SessionId, after?: number, limit?: number): Promise<readonly ChainedEvent[]>;
  /**
   * What is wrong with what is stored of the session, in order of sequence number; never throws for damage it can name. With
   * `newest` only the newest records and the end are looked at: what every opening can afford, whatever the session's length.
   */
  check(sessionId: SessionId, extent?: "newest"): Promise<readonly JournalProblem[]>;
  /**
   * Stores a whole journal as it was: numbers, times and gaps. The events are taken one after another, within the one transaction: what
   * they throw is thrown, and nothing is stored. @throws AppError `session.busy` when the session exists
   */
  restore(sessionId: SessionId, events: Iterable<SessionEvent>): Promise<void>;
  /** Everything of the session; no error when there is none. */
  delete(sessionId: SessionId): Promise<void>;
  pendingInteractions(): Promise<readonly PendingInteraction[]>;
  /**
   * What has changed in index and inbox since `cursor` was handed out, by whichever process; 0: since ever. Cheap when nothing has.
   * Activity alone (`updatedAt`) is no change.
   */
  changedSince(cursor: number): Promise<StoreChanges>;
  /** Keeps what a user has typed and not sent; `null` forgets it. Nothing is kept for a session that is not there. */
  saveDraft(sessionId: SessionId, user: string, draft: Draft | null): Promise<void>;
  /** Drafts lie beside the journal: they are no part of it, and go with the session. */
  draft(sessionId: SessionId, user: string): Promise<Draft | null>;
  close(): Promise<void>;
}

/** Something that waits for a user. `openedAt`: ms since 1970. */
export interface PendingInteraction {
  readonly sessionId: SessionId;
  readonly openedAt: number;
  readonly interaction: Interaction;
}

/** Whoever applies these to what it had before `cursor` has what `list` and `pendingInteractions` say. */
export interface StoreChanges {
  /** To ask with the next time. */
  readonly cursor: number;
  /** `sessions` holds everything: what is not in it is gone. So it is for cursor 0, and for one that is too old or of another store. */
  readonly isWhole: boolean;
  /** Each with all that waits in it, oldest first. */
  readonly sessions: readonly ChangedSession[];
  /** Sessions that are gone. */
  readonly deleted: readonly SessionId[];
}

export interface ChangedSession {
  readonly summary: SessionSummary;
  readonly pending: readonly PendingInteraction[];
}

export interface AppendBatch {
  /** The last sequence number the writer knows; 0 for a new session. */
  readonly after: number;
  /** ms since 1970. */
  readonly at: number;
  readonly records: readonly JournalRecord[];
  readonly flush: boolean;
  /** Of the writer's lease; without one nobody may hold a lease. */
  readonly generation?: number;
}

/** The state of a session after the record `seq`, as JSON. `format` names who can read it. */
export interface SavedState {
  readonly seq: number;
  readonly format: string;
  /** Plain JSON. */
  readonly state: unknown;
}

/**
 * An event with its link: SHA-256 (hex, lower case) of the text `LINK NUMBER TIME JSON` with single spaces: the link before it
 * (64 zeros for the first), its own `seq` and `at`, and its record as stored (`JSON.stringify`). The session's id is no part of
 * it. `null` for deltas, which stand outside the chain.
 */
export interface ChainedEvent extends SessionEvent {
  readonly hash: string | null;
  /** The record as it was written, in its version of then; `record` is what it means today. */
  readonly stored: JsonObject;
}

/** Damage to a stored journal. `seq`: the record it concerns; `null`: the session as a whole. */
export interface JournalProblem {
  readonly seq: number | null;
  /** `newer-version`: whole, and written by a Capstan that knows more than this one; no damage. */
  readonly kind: "unreadable" | "newer-version" | "broken-chain" | "missing-end" | "index";
  readonly text: string;
}

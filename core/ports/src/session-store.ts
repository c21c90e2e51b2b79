import type { Interaction, JournalRecord, SessionEvent, SessionId, SessionSummary } from "@capstan/protocol";

/**
 * Journals of all sessions, their index and the inbox.
 *
 * Contract (`sessionStoreContract` in testkit):
 * - `append` is one transaction: all records or none. Sequence numbers start at 1, are given out without a hole and never again.
 * - It fails with `session.busy` when `after` is not the last number: somebody else wrote.
 * - With `flush` the records are on disk when it resolves; without, they survive the death of this process.
 * - Deltas superseded by an appended record (`supersededScope`) are gone after the same transaction, and their numbers stay gaps.
 * - Index (`list`) and inbox (`pendingInteractions`) change in the same transaction as the records they follow from.
 * - A failed append leaves the store as before; storage errors are `storage.full` or `storage.failed`.
 */
export interface SessionStore {
  append(sessionId: SessionId, batch: AppendBatch): Promise<readonly SessionEvent[]>;
  /** Kept events with a number greater than `after`, oldest first; empty for an unknown session. */
  read(sessionId: SessionId, after: number): Promise<readonly SessionEvent[]>;
  /** Newest first by last activity. */
  list(): Promise<readonly SessionSummary[]>;
  /** Ids that begin with `prefix`, at most `limit`. */
  findIds(prefix: string, limit: number): Promise<readonly SessionId[]>;
  /** Everything of the session; no error when there is none. */
  delete(sessionId: SessionId): Promise<void>;
  pendingInteractions(): Promise<
    readonly { readonly sessionId: SessionId; readonly openedAt: number; readonly interaction: Interaction }[]
  >;
  close(): Promise<void>;
}

export interface AppendBatch {
  /** The last sequence number the writer knows; 0 for a new session. */
  readonly after: number;
  /** ms since 1970. */
  readonly at: number;
  readonly records: readonly JournalRecord[];
  readonly flush: boolean;
}

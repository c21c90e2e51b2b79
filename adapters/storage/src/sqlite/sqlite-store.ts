import { statSync } from "node:fs";
import { AppError, type Draft, type SessionEvent, type SessionId, type SessionSummary } from "@capstan/protocol";
import type {
  AppendBatch,
  ChainedEvent,
  Grants,
  HeldLease,
  JournalProblem,
  LeaseAnswer,
  LeaseClaim,
  SavedState,
  SessionStore,
  StoreChanges,
} from "@capstan/ports";
import { assertDraftFits } from "../draft-size.ts";
import { isCorruption, type StorageActivity, toStorageError } from "../storage-error.ts";
import { append, assertMayAppend } from "./append.ts";
import { readChanges } from "./changes.ts";
import { checkNewest, checkSession } from "./check.ts";
import type { Connection } from "./connection.ts";
import { repairTables } from "./damage/repair-tables.ts";
import { deleteSession } from "./delete.ts";
import { readDraft, storeDraft } from "./beside/drafts.ts";
import { readGrants, removeGrant, storeGrant } from "./beside/grants.ts";
import { claimLease, readHolder, releaseLease, renewLease } from "./beside/lease.ts";
import { readChainedEvents, readEvents, readEventsBefore, readIds, readInbox, readSummaries } from "./read.ts";
import { emptied, identityOf, removed, replaced } from "./file-identity.ts";
import { restore } from "./restore.ts";
import { readState, storeState } from "./beside/saved-state.ts";

/**
 * The store over one SQLite file. SQLite works synchronously: a call is done, or has failed, before it returns; the promises
 * are the port's. So calls never interleave, and a transaction is never open between two of them.
 */
export class SqliteStore implements SessionStore {
  readonly #path: string;
  readonly #connect: () => Connection;
  #connection: Connection | undefined;
  /** Which file the connection has open. */
  #file: string | undefined;
  #isClosed = false;
  #isRepaired = false;
  readonly #onRepaired: (names: readonly string[]) => void;

  /**
   * @param reconnect  opens the same file again, after an error that left the connection in doubt
   * @param onRepaired  is notified of the damaged tables and indexes that were made again
   */
  constructor(
    path: string,
    connection: Connection,
    {
      reconnect,
      onRepaired,
    }: { readonly reconnect: () => Connection; readonly onRepaired: (names: readonly string[]) => void },
  ) {
    this.#path = path;
    this.#onRepaired = onRepaired;
    this.#connection = connection;
    this.#file = identityOf(path);
    this.#connect = reconnect;
  }

  async append(sessionId: SessionId, batch: AppendBatch): Promise<readonly SessionEvent[]> {
    return this.#use("write", (connection) => {
      if (batch.records.length === 0) {
        assertMayAppend(connection, sessionId, batch);
        return [];
      }
      if (batch.flush) this.#assertSameFile(connection);
      return append(connection, sessionId, batch);
    });
  }

  async read(sessionId: SessionId, after: number, limit?: number): Promise<readonly SessionEvent[]> {
    return this.#use("read", (connection) => readEvents(connection, this.#path, sessionId, { after, limit }));
  }

  async readBefore(sessionId: SessionId, before: number | null, limit: number): Promise<readonly SessionEvent[]> {
    return this.#use("read", (connection) => readEventsBefore(connection, this.#path, sessionId, { before, limit }));
  }

  async list(): Promise<readonly SessionSummary[]> {
    return this.#use("read", readSummaries);
  }

  async findIds(prefix: string, limit: number): Promise<readonly SessionId[]> {
    return this.#use("read", (connection) => readIds(connection, prefix, limit));
  }

  async claim(sessionId: SessionId, claim: LeaseClaim): Promise<LeaseAnswer> {
    return this.#use("write", (connection) => claimLease(connection, sessionId, claim));
  }

  async renew(sessionId: SessionId, generation: number, beatMs: number): Promise<boolean> {
    return this.#use("write", (connection) => renewLease(connection, sessionId, generation, beatMs));
  }

  async release(sessionId: SessionId, generation: number): Promise<void> {
    this.#use("write", (connection) => releaseLease(connection, sessionId, generation));
  }

  async holder(sessionId: SessionId): Promise<HeldLease | null> {
    return this.#use("read", (connection) => readHolder(connection, sessionId));
  }

  async saveState(sessionId: SessionId, saved: SavedState): Promise<void> {
    this.#use("write", (connection) => storeState(connection, sessionId, saved));
  }

  async loadState(sessionId: SessionId, format: string): Promise<SavedState | null> {
    return this.#use("read", (connection) => readState(connection, sessionId, format));
  }

  async readChained(sessionId: SessionId, after = 0, limit?: number): Promise<readonly ChainedEvent[]> {
    return this.#use("read", (connection) => readChainedEvents(connection, this.#path, sessionId, { after, limit }));
  }

  async check(sessionId: SessionId, extent?: "newest"): Promise<readonly JournalProblem[]> {
    const check = extent === "newest" ? checkNewest : checkSession;
    try {
      return this.#use("read", (connection) => check(connection, sessionId));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "storage.corrupt") throw error;
      return [{ seq: null, kind: "unreadable", text: error.message }];
    }
  }

  async restore(sessionId: SessionId, events: Iterable<SessionEvent>): Promise<void> {
    this.#use("write", (connection) => restore(connection, sessionId, events));
  }

  async delete(sessionId: SessionId): Promise<void> {
    this.#use("write", (connection) => deleteSession(connection, sessionId));
  }

  get grants(): Grants {
    return {
      add: async (grant) => this.#use("write", (connection) => storeGrant(connection, grant)),
      list: async () => this.#use("read", readGrants),
      remove: async (id) => this.#use("write", (connection) => removeGrant(connection, id)),
    };
  }

  async pendingInteractions(): ReturnType<SessionStore["pendingInteractions"]> {
    return this.#use("read", (connection) => readInbox(connection, this.#path));
  }

  async changedSince(cursor: number): Promise<StoreChanges> {
    return this.#use("read", (connection) => readChanges(connection, this.#path, cursor));
  }

  async saveDraft(sessionId: SessionId, user: string, draft: Draft | null): Promise<void> {
    assertDraftFits(draft);
    this.#use("write", (connection) => storeDraft(connection, sessionId, user, draft));
  }

  async draft(sessionId: SessionId, user: string): Promise<Draft | null> {
    return this.#use("read", (connection) => readDraft(connection, sessionId, user));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.close();
  }

  #use<Result>(activity: StorageActivity, work: (connection: Connection) => Result): Result {
    if (this.#isClosed) throw new AppError("storage.unavailable", `${this.#path}: the store is closed`);
    try {
      return this.#work(work);
    } catch (error) {
      const failure = toStorageError(error, this.#path, activity);
      if (failure.code !== "session.busy" || this.#connection?.isUsable === false) this.#drop();
      throw failure;
    }
  }

  /**
   * SQLite takes a disk that cannot be read for a moment for a damaged file: a second look, by a new connection, decides. Where
   * what is damaged follows from the journals, it is made again, once, and the work done after all.
   */
  #work<Result>(work: (connection: Connection) => Result): Result {
    const attempt = (): Result => work((this.#connection ??= this.#reconnect()));
    try {
      return attempt();
    } catch (error) {
      if (!isCorruption(error)) throw error;
      this.#drop();
    }
    try {
      return attempt();
    } catch (error) {
      if (this.#isRepaired || !isCorruption(error)) throw error;
      this.#isRepaired = true;
      this.#drop();
      const repaired = this.#repair();
      if (repaired.length === 0) throw error;
      this.#onRepaired(repaired);
    }
    return attempt();
  }

  /** @returns nothing when it fails, too: the damage says more than why it stays */
  #repair(): readonly string[] {
    try {
      return identityOf(this.#path) === this.#file ? repairTables(this.#path) : [];
    } catch {
      return [];
    }
  }

  /**
   * After "busy" nothing was written and the connection is as good as before; after anything else it is given up.
   * After a failed flush nobody knows what is on the disk, and a second flush may report success for lost data. A new
   * connection reads what is really there; if the failed records survived, the next append of the old writer is refused.
   */
  #drop(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    try {
      connection?.close();
    } catch {
      // The error that led here is thrown already and says more.
    }
  }

  #reconnect(): Connection {
    const file = identityOf(this.#path);
    // SQLite would make a new, empty file, and take an empty one for a new database.
    if (file === undefined) throw removed(this.#path);
    const size = statSync(this.#path, { throwIfNoEntry: false })?.size;
    if (size === undefined) throw removed(this.#path);
    if (size === 0) throw emptied(this.#path);
    const connection = this.#connect();
    this.#file = file;
    return connection;
  }

  /** A removed file lives on while it is open: everything would seem to work and be gone in the end. */
  #assertSameFile(connection: Connection): void {
    const file = identityOf(this.#path);
    if (file === this.#file) return;
    // What is in the log belongs to the old file; the next to open the new one would mix it in.
    connection.emptyLog();
    throw file === undefined ? removed(this.#path) : replaced(this.#path);
  }
}

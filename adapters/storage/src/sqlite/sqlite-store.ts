import { existsSync } from "node:fs";
import { AppError, type SessionEvent, type SessionId, type SessionSummary } from "@capstan/protocol";
import type { AppendBatch, SessionStore } from "@capstan/ports";
import { type StorageActivity, toStorageError } from "../storage-error.ts";
import { append, assertLastNumber } from "./append.ts";
import type { Connection } from "./connection.ts";
import { readEvents, readIds, readInbox, readSummaries } from "./read.ts";

/**
 * The store over one SQLite file. SQLite works synchronously: a call is done, or has failed, before it returns; the promises
 * are the port's. So calls never interleave, and a transaction is never open between two of them.
 */
export class SqliteStore implements SessionStore {
  readonly #path: string;
  readonly #connect: () => Connection;
  #connection: Connection | undefined;
  #isClosed = false;

  /** @param reconnect  opens the same file again, after an error that left the connection in doubt */
  constructor(path: string, connection: Connection, reconnect: () => Connection) {
    this.#path = path;
    this.#connection = connection;
    this.#connect = reconnect;
  }

  async append(sessionId: SessionId, batch: AppendBatch): Promise<readonly SessionEvent[]> {
    return this.#use("write", (connection) => {
      if (batch.records.length === 0) {
        assertLastNumber(connection, sessionId, batch.after);
        return [];
      }
      if (batch.flush) this.#assertFileExists();
      return append(connection, sessionId, batch);
    });
  }

  async read(sessionId: SessionId, after: number): Promise<readonly SessionEvent[]> {
    return this.#use("read", (connection) => readEvents(connection, this.#path, sessionId, after));
  }

  async list(): Promise<readonly SessionSummary[]> {
    return this.#use("read", readSummaries);
  }

  async findIds(prefix: string, limit: number): Promise<readonly SessionId[]> {
    return this.#use("read", (connection) => readIds(connection, prefix, limit));
  }

  async delete(sessionId: SessionId): Promise<void> {
    this.#use("write", (connection) =>
      connection.write("flushed", () => {
        connection.run("DELETE FROM events WHERE session_id = ?", sessionId);
        connection.run("DELETE FROM interactions WHERE session_id = ?", sessionId);
        connection.run("DELETE FROM sessions WHERE id = ?", sessionId);
      }),
    );
  }

  async pendingInteractions(): ReturnType<SessionStore["pendingInteractions"]> {
    return this.#use("read", (connection) => readInbox(connection, this.#path));
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
      this.#connection ??= this.#reconnect();
      return work(this.#connection);
    } catch (error) {
      const failure = toStorageError(error, this.#path, activity);
      if (failure.code !== "session.busy" || this.#connection?.isUsable === false) this.#drop();
      throw failure;
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
    // SQLite would make a new, empty file.
    this.#assertFileExists();
    return this.#connect();
  }

  /** A deleted file lives on while it is open: everything would seem to work and be gone in the end. */
  #assertFileExists(): void {
    if (existsSync(this.#path)) return;
    throw new AppError("storage.failed", `${this.#path} was removed while it was in use`, {
      hint: "Start Capstan again; what was written since the removal is lost.",
    });
  }
}

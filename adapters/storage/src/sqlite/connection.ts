import type { Database, DatabaseConstructor, SqlValue, Statement } from "./database.ts";
import { keptLogBytes } from "../limits.ts";

/** One connection: its statements are prepared once, when first used, and its writes are whole transactions. */
export class Connection {
  readonly database: Database;
  readonly #statements = new Map<string, Statement>();
  #synchronous: "NORMAL" | "FULL" = "NORMAL";

  constructor(database: Database) {
    this.database = database;
  }

  /** @returns the number of changed rows */
  run(sql: string, ...values: readonly SqlValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  // oxlint-disable typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-parameters -- rows get their type here: STRICT tables hold what their columns say, and bodies are parsed elsewhere
  /** Rows in the shape the statement selects. */
  all<Row>(sql: string, ...values: readonly SqlValue[]): readonly Row[] {
    return this.#statement(sql).all(...values) as readonly Row[];
  }

  /** The only row of a query that has one whatever happens (an aggregate, a pragma). */
  get<Row>(sql: string, ...values: readonly SqlValue[]): Row {
    return this.#statement(sql).get(...values) as Row;
  }
  // oxlint-enable typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-parameters

  /**
   * Runs `work` as one transaction: everything it wrote is kept, or, when anything throws, nothing.
   * The write lock is taken at the start: a transaction that reads first and then wants to write is refused without waiting.
   * @param durability  `flushed`: on disk when this returns; `committed`: survives the process, not a power cut
   * @throws what `work` or SQLite threw; check `isUsable` afterwards
   */
  write<Result>(durability: "flushed" | "committed", work: () => Result): Result {
    this.#setSynchronous(durability === "flushed" ? "FULL" : "NORMAL");
    this.run("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.run("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** Runs `work` on one state of the database, whatever others write meanwhile. */
  read<Result>(work: () => Result): Result {
    this.run("BEGIN");
    try {
      return work();
    } finally {
      this.#rollBack();
    }
  }

  /** False when a transaction could be neither committed nor rolled back: only a new connection knows what is stored. */
  get isUsable(): boolean {
    return !this.database.isTransaction;
  }

  /** Moves the write-ahead log into the file this connection has open, wherever that is by now, and leaves it empty. */
  emptyLog(): void {
    try {
      this.database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // Another process is busy with it, and will come to see the same.
    }
  }

  /**
   * Moves the write-ahead log into the database, as far as other connections permit, and closes. Said explicitly, because
   * `@photostructure/sqlite` keeps the file open behind a closed connection until the statements are garbage-collected.
   */
  close(): void {
    try {
      this.database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    } catch {
      // Nothing is lost: the log stays, and whoever opens the database next reads it.
    }
    this.#statements.clear();
    this.database.close();
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const prepared = this.database.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  /** In WAL mode FULL flushes the log with every commit, and with it all commits before; NORMAL flushes at checkpoints only. */
  #setSynchronous(level: "NORMAL" | "FULL"): void {
    if (level === this.#synchronous) return;
    // Not a prepared statement: this pragma takes effect while it is compiled, not when it runs.
    this.database.exec(`PRAGMA synchronous = ${level}`);
    this.#synchronous = level;
  }

  #rollBack(): void {
    // SQLite has rolled back by itself after some errors (full disk, I/O), and a second time would be an error.
    if (!this.database.isTransaction) return;
    try {
      this.database.exec("ROLLBACK");
    } catch {
      // `isUsable` says whether it still works; what is thrown to the caller is the first error, not this one.
    }
  }
}

/**
 * Opens an existing file and sets what lasts as long as the connection.
 * @param waitMs  how long a statement waits for another connection's lock
 * @param defensive  false: the schema may be written to, which only a repair does
 */
export function connect(
  sqlite: DatabaseConstructor,
  path: string,
  waitMs: number,
  { defensive = true }: { readonly defensive?: boolean } = {},
): Connection {
  const database = new sqlite(path, { timeout: waitMs, defensive });
  try {
    database.exec(connectionPragmas);
    return new Connection(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

const connectionPragmas = [
  "PRAGMA foreign_keys = ON",
  // Functions named in the file's schema run only when they are harmless: the file may have been tampered with.
  "PRAGMA trusted_schema = OFF",
  "PRAGMA synchronous = NORMAL",
  // What was deleted is overwritten: a removed session leaves the file.
  "PRAGMA secure_delete = ON",
  `PRAGMA journal_size_limit = ${keptLogBytes}`,
  // macOS keeps fsync'ed data in the drive's cache unless asked; no effect elsewhere.
  ...(process.platform === "darwin" ? ["PRAGMA fullfsync = ON", "PRAGMA checkpoint_fullfsync = ON"] : []),
].join("; ");

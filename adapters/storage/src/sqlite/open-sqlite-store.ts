import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "@capstan/protocol";
import type { SessionStore } from "@capstan/ports";
import { busyTimeoutMs, openRetryDelayMs } from "../limits.ts";
import { isBusy, toStorageError } from "../storage-error.ts";
import { type Connection, connect } from "./connection.ts";
import { loadSqlite } from "./database.ts";
import { migrate, type MigrationPlan, needsMigration } from "./migrate.ts";
import { type Migration, migrations } from "./migrations.ts";
import { prepareFile } from "./prepare-file.ts";
import { SqliteStore } from "./sqlite-store.ts";

export interface SqliteStoreOptions {
  /** The database file (`capstan.db`); it and its folder are made when missing. */
  readonly path: string;
  /** Where a copy goes before a migration; `backups` beside the file when left out. */
  readonly backupDirectory?: string;
  /** How long a write waits for another process's; `busyTimeoutMs` when left out. */
  readonly waitMs?: number;
  /** Damaged tables and indexes that were made again from the journals, while the store was used; at most once. */
  readonly onRepaired?: (names: readonly string[]) => void;
}

/**
 * Opens the store in one SQLite file, creating or migrating it where needed.
 * @throws {AppError} `storage.unavailable` (cannot be opened or created; network file system), `storage.newer-version`,
 *   `storage.corrupt` (not a database, or not ours), `storage.full`, `session.busy` (locked for too long)
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SessionStore> {
  return openVersioned(options, migrations);
}

/** The same with another list of migrations, so that the mechanism can be tried on schemas that do not exist yet. */
export async function openVersioned(options: SqliteStoreOptions, known: readonly Migration[]): Promise<SessionStore> {
  const path = resolve(options.path);
  try {
    const sqlite = loadSqlite();
    prepareFile(path);
    const backupDirectory = resolve(options.backupDirectory ?? join(dirname(path), "backups"));
    const plan: MigrationPlan = {
      path,
      backupDirectory,
      migrations: known,
      sqlite,
      waitMs: options.waitMs ?? busyTimeoutMs,
    };
    const connection = await openPatiently(plan);
    return new SqliteStore(path, connection, {
      reconnect: () => open(plan),
      onRepaired: options.onRepaired ?? (() => undefined),
    });
  } catch (error) {
    throw toStorageError(error, path, "open");
  }
}

/** While another process creates the file, SQLite answers "busy" at once in places where waiting could never end. */
async function openPatiently(plan: MigrationPlan): Promise<Connection> {
  const startedAt = process.uptime();
  for (;;) {
    try {
      return open(plan);
    } catch (error) {
      if (!isBusy(error) || (process.uptime() - startedAt) * 1000 > plan.waitMs) throw error;
    }
    await sleep(openRetryDelayMs);
  }
}

function open(plan: MigrationPlan): Connection {
  const connection = connect(plan.sqlite, plan.path, plan.waitMs);
  try {
    const isOld = needsMigration(connection, plan);
    useWriteAheadLog(connection, plan.path);
    if (isOld) migrate(connection, plan);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Only after the version was checked: it is written into the file. */
function useWriteAheadLog(connection: Connection, path: string): void {
  const { journal_mode: mode } = connection.get<{ readonly journal_mode: string }>("PRAGMA journal_mode = WAL");
  if (mode === "wal") return;
  throw new AppError("storage.unavailable", `${path}: this file system does not support SQLite's write-ahead log`, {
    hint: "Point CAPSTAN_HOME to a folder on a local disk.",
  });
}

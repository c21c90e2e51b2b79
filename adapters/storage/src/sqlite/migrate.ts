import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError, messageOf } from "@capstan/protocol";
import { type Connection, connect } from "./connection.ts";
import type { Database, DatabaseConstructor } from "./database.ts";
import type { Migration } from "./migrations.ts";
import { createPrivateFile, flushPath, makePrivateFolder } from "./prepare-file.ts";

export interface MigrationPlan {
  readonly path: string;
  readonly backupDirectory: string;
  readonly migrations: readonly Migration[];
  readonly sqlite: DatabaseConstructor;
  /** How long a statement waits for another process's lock. */
  readonly waitMs: number;
}

/**
 * Refuses a database this version must not write to: a newer one, and one that is not Capstan's. Changes nothing.
 * @returns whether migrations are needed
 * @throws {AppError} `storage.newer-version`, `storage.corrupt`
 */
export function needsMigration(connection: Connection, { path, migrations }: MigrationPlan): boolean {
  const { version, isOurs } = identityOf(connection);
  if (version > migrations.length) {
    throw new AppError(
      "storage.newer-version",
      `${path} has version ${version}; this Capstan knows versions up to ${migrations.length}`,
      { hint: "Update Capstan, or point CAPSTAN_HOME to another folder. Nothing was changed." },
    );
  }
  if (isOurs) return version < migrations.length;
  throw new AppError("storage.corrupt", `${path} is a database, but not one of Capstan's`, {
    hint: "Move it away, or point CAPSTAN_HOME to another folder. Nothing was changed.",
  });
}

/**
 * Brings the schema to the newest version: all missing steps in one transaction, after a backup, so that whatever goes
 * wrong the database is the old one. Only one process does it; others wait and find it done.
 * @throws {AppError} `storage.failed` naming the step; whatever SQLite throws
 */
export function migrate(connection: Connection, plan: MigrationPlan): void {
  connection.write("flushed", () => {
    const { version, isEmpty } = identityOf(connection);
    if (version >= plan.migrations.length) return;
    // With the write lock in hand, so that nothing is written between the backup and the change.
    if (!isEmpty) backUp(plan, version);
    for (const [index, migration] of plan.migrations.entries()) {
      if (index >= version) apply(connection.database, migration, { ...plan, version: index + 1 });
    }
    connection.database.exec(`PRAGMA application_id = ${applicationId}`);
    connection.database.exec(`PRAGMA user_version = ${plan.migrations.length}`);
  });
}

/** "CAPS": distinguishes a Capstan database from any other in `file(1)` and here. */
const applicationId = 0x43415053;

interface Identity {
  readonly version: number;
  readonly isEmpty: boolean;
  readonly isOurs: boolean;
}

/** By one statement, and so of one moment: another process may be making the database just now. */
function identityOf(connection: Connection): Identity {
  const row = connection.get<{ readonly version: number; readonly id: number; readonly entries: number }>(
    `SELECT (SELECT count(*) FROM sqlite_schema) AS entries, (SELECT user_version FROM pragma_user_version) AS version,
            (SELECT application_id FROM pragma_application_id) AS id`,
  );
  const isEmpty = row.entries === 0;
  return { version: row.version, isEmpty, isOurs: isEmpty || row.id === applicationId };
}

function backUp(plan: MigrationPlan, version: number): void {
  const { backupDirectory } = plan;
  makePrivateFolder(backupDirectory);
  const at = new Date().toISOString().replaceAll(/[-:.]/gu, "");
  const backup = join(backupDirectory, `capstan-v${version}-${at}.db`);
  createPrivateFile(backup);
  try {
    copyDatabase(plan, backup);
  } catch (error) {
    rmSync(backup, { force: true });
    throw error;
  }
  flushPath(backup);
  flushPath(dirname(backup));
}

/** By a second connection: VACUUM is not allowed inside the transaction that holds the lock. */
function copyDatabase({ path, sqlite, waitMs }: MigrationPlan, backup: string): void {
  const reader = connect(sqlite, path, waitMs);
  try {
    reader.database.exec(`VACUUM INTO '${backup.replaceAll("'", "''")}'`);
  } finally {
    reader.close();
  }
}

function apply(
  database: Database,
  migration: Migration,
  at: { readonly path: string; readonly version: number },
): void {
  try {
    migration.apply(database);
  } catch (error) {
    throw new AppError(
      "storage.failed",
      `${at.path}: migration to version ${at.version} (${migration.about}) failed: ${messageOf(error)}`,
      { cause: error, hint: "Nothing was changed; a backup lies in the data directory." },
    );
  }
}

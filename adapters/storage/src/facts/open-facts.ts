import type { FactStore } from "@capstan/ports";
import { AppError } from "@capstan/protocol";
import { busyTimeoutMs } from "../limits.ts";
import { type Connection, connect } from "../sqlite/connection.ts";
import { loadSqlite } from "../sqlite/database.ts";
import { prepareFile } from "../sqlite/prepare-file.ts";
import { toStorageError } from "../storage-error.ts";
import { factsSchema, factsVersion } from "./facts-schema.ts";
import { SqliteFacts } from "./sqlite-facts.ts";

/**
 * Opens the facts in one SQLite file (`facts.db`), which is made when missing.

 * @throws {AppError} `storage.*`, as for sessions
 */
export function openFacts(path: string): FactStore {
  try {
    const sqlite = loadSqlite();
    prepareFile(path);
    const connection = connect(sqlite, path, busyTimeoutMs);
    try {
      prepareSchema(connection, path);
    } catch (error) {
      connection.close();
      throw error;
    }
    return new SqliteFacts(path, connection);
  } catch (error) {
    throw toStorageError(error, path, "open");
  }
}

function prepareSchema(connection: Connection, path: string): void {
  connection.database.exec("PRAGMA secure_delete = ON");
  if (versionOf(connection) !== 0) return requireVersion(connection, path);
  connection.database.exec("PRAGMA journal_mode = WAL");
  // Another process may have made it since.
  connection.write("committed", () => {
    if (versionOf(connection) === 0) connection.database.exec(factsSchema);
  });
  requireVersion(connection, path);
}

function requireVersion(connection: Connection, path: string): void {
  const version = versionOf(connection);
  if (version === factsVersion) return;
  throw new AppError(
    "storage.newer-version",
    `${path} was written by a newer Capstan (version ${version} of the file)`,
    {
      hint: "Install the newer Capstan again. Nothing was changed.",
    },
  );
}

function versionOf(connection: Connection): number {
  return connection.get<{ readonly user_version: number }>("PRAGMA user_version").user_version;
}

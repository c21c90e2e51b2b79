import { copyFileSync, existsSync, renameSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { messageOf } from "@capstan/protocol";
import { busyTimeoutMs, maxReportedProblems } from "../../limits.ts";
import { toStorageError } from "../../storage-error.ts";
import { type Connection, connect } from "../connection.ts";
import { loadSqlite } from "../database.ts";
import { createPrivateFile, flushPath, makePrivateFolder } from "../prepare-file.ts";

/** What SQLite says about a database file. */
export interface DatabaseReport {
  readonly schemaVersion: number;
  /** Of the file, without its log. */
  readonly bytes: number;
  /** Of `PRAGMA quick_check`, at most `maxReportedProblems`. */
  readonly problems: readonly string[];
}

/** Looks a database over without changing it. @throws {AppError} `storage.*` when it cannot even be opened */
export function inspectDatabase(path: string): DatabaseReport {
  const connection = open(path);
  try {
    const { user_version: schemaVersion } = connection.get<{ readonly user_version: number }>("PRAGMA user_version");
    const problems = quickCheck(connection);
    const isWhole = problems.length === 0 && schemaVersion >= versionWithGrants;
    return { schemaVersion, bytes: statSync(path).size, problems: isWhole ? checkBeside(connection) : problems };
  } catch (error) {
    throw toStorageError(error, path, "read");
  } finally {
    connection.close();
  }
}

function quickCheck(connection: Connection): readonly string[] {
  try {
    const rows = connection.all<{ readonly quick_check: string }>(`PRAGMA quick_check(${maxReportedProblems})`);
    return rows.map((row) => row.quick_check).filter((text) => text !== "ok");
  } catch (error) {
    return [messageOf(error)];
  }
}

/** Since this version there are grants. */
const versionWithGrants = 3;

/** What lies beside the journals: everything of it can be read, and is somebody's. */
function checkBeside(connection: Connection): readonly string[] {
  return connection
    .all<{ readonly problem: string }>(`${brokenGrants} LIMIT ${maxReportedProblems}`)
    .map(({ problem }) => problem);
}

const brokenGrants = "SELECT 'the grant ' || id || ' cannot be read' AS problem FROM grants WHERE NOT json_valid(body)";

/**
 * Copies a database to a new file, for its owner alone: beside it first, so that nothing unfinished has its name. One that is too
 * damaged to be read through is copied byte by byte, with its log.
 * @throws {AppError} `storage.*`
 */
export function backUpDatabase(path: string, target: string): void {
  makePrivateFolder(dirname(resolve(target)));
  const partial = `${target}.partial`;
  createPrivateFile(partial);
  try {
    try {
      vacuumInto(path, partial);
    } catch {
      copyFileSync(path, partial);
      if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${target}-wal`);
    }
    flushPath(partial);
    renameSync(partial, target);
    flushPath(dirname(resolve(target)));
  } catch (error) {
    throw toStorageError(error, target, "write");
  }
}

function vacuumInto(path: string, target: string): void {
  const connection = open(path);
  try {
    connection.database.exec(`VACUUM INTO '${target.replaceAll("'", "''")}'`);
  } finally {
    connection.close();
  }
}

function open(path: string): Connection {
  try {
    return connect(loadSqlite(), path, busyTimeoutMs);
  } catch (error) {
    throw toStorageError(error, path, "open");
  }
}

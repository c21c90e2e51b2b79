import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AppError, messageOf, type SessionId } from "@capstan/protocol";
import { busyTimeoutMs, vacuumedBytes } from "../limits.ts";
import { assertFree } from "../stored-lease.ts";
import { readLease } from "./beside/lease.ts";
import { noteDeletion } from "./changes.ts";
import { type Connection, connect } from "./connection.ts";
import { loadSqlite } from "./database.ts";

/**
 * Removes everything of a session, also from the free parts of the file and from the log.
 * @throws {AppError} `session.busy` while somebody holds its lease
 */
export function deleteSession(connection: Connection, sessionId: SessionId): void {
  connection.write("flushed", () => {
    assertFree(sessionId, readLease(connection, sessionId));
    noteDeletion(connection, sessionId);
    for (const { table, column } of places) removeFrom(connection, table, column, sessionId);
  });
  leaveNothing(connection);
}

/**
 * Removes everything of a session from the copies of the database in a folder.
 * @throws {AppError} `storage.failed`: it names the copies that could not be changed; the others were
 */
export function deleteFromBackups(folder: string, sessionId: SessionId): void {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".db")) : [];
  const paths = names.map((name) => join(folder, name));
  const left = paths.flatMap((path) => whyLeft(path, sessionId));
  if (left.length === 0) return;
  const text = `session ${sessionId} is deleted, but copies of the database still hold it: ${left.join("; ")}`;
  throw new AppError("storage.failed", text, { hint: "Delete these files when you need nothing else of them." });
}

/** @returns the copy that could not be changed, and why; empty when nothing of the session is in it */
function whyLeft(path: string, sessionId: SessionId): readonly string[] {
  try {
    const isWhole = deleteFromBackup(path, sessionId);
    // Rows that no tree leads to any more stay in a damaged file.
    return isWhole || !readFileSync(path).includes(sessionId) ? [] : [`${path} (it is damaged)`];
  } catch (error) {
    return [`${path} (${messageOf(error)})`];
  }
}

/** @returns whether the copy is whole */
function deleteFromBackup(path: string, sessionId: SessionId): boolean {
  const connection = connect(loadSqlite(), path, busyTimeoutMs);
  try {
    // An older version has other tables.
    const there = places.filter(({ table, column }) => hasColumn(connection, table, column));
    const removed = connection.write("flushed", () =>
      there.reduce((sum, { table, column }) => sum + removeFrom(connection, table, column, sessionId), 0),
    );
    if (removed > 0) leaveNothing(connection);
    const found = connection.all<{ readonly quick_check: string }>("PRAGMA quick_check(1)");
    return found.every(({ quick_check: text }) => text === "ok");
  } finally {
    connection.close();
  }
}

function hasColumn(connection: Connection, table: string, column: string): boolean {
  const found = connection.all<{ readonly name: string }>("SELECT name FROM pragma_table_info(?)", table);
  return found.some(({ name }) => name === column);
}

function removeFrom(connection: Connection, table: string, column: string, sessionId: SessionId): number {
  return connection.run(`DELETE FROM ${table} WHERE ${column} = ?`, sessionId);
}

/**
 * SQLite overwrites what is deleted (`secure_delete`), but not what it had moved from page to page before, nor older pages in the
 * log. Where others keep it from doing so, this happens with the next deletion.
 */
export function leaveNothing(connection: Connection): void {
  try {
    const { bytes } = connection.get<{ readonly bytes: number }>(selectBytes);
    if (bytes <= vacuumedBytes) connection.database.exec("VACUUM");
  } catch {
    // The session is deleted all the same.
  }
  connection.emptyLog();
}

const selectBytes = "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size";
const places = [
  { table: "events", column: "session_id" },
  { table: "cold_records", column: "session_id" },
  { table: "interactions", column: "session_id" },
  { table: "saved_states", column: "session_id" },
  { table: "saved_parts", column: "session_id" },
  { table: "drafts", column: "session_id" },
  { table: "leases", column: "session_id" },
  { table: "sessions", column: "id" },
] as const;

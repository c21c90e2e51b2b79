import type { SessionId } from "@capstan/protocol";
import { assertFree } from "../stored-lease.ts";
import { noteDeletion } from "./changes.ts";
import type { Connection } from "./connection.ts";
import { readLease } from "./beside/lease.ts";

/** Removes everything of a session. @throws {AppError} `session.busy` while somebody holds its lease */
export function deleteSession(connection: Connection, sessionId: SessionId): void {
  connection.write("flushed", () => {
    assertFree(sessionId, readLease(connection, sessionId));
    noteDeletion(connection, sessionId);
    for (const sql of deletions) connection.run(sql, sessionId);
  });
}

const deletions = [
  "DELETE FROM events WHERE session_id = ?",
  "DELETE FROM interactions WHERE session_id = ?",
  "DELETE FROM saved_states WHERE session_id = ?",
  "DELETE FROM drafts WHERE session_id = ?",
  "DELETE FROM leases WHERE session_id = ?",
  "DELETE FROM sessions WHERE id = ?",
];

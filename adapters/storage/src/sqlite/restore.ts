import type { SessionEvent, SessionId } from "@capstan/protocol";
import { firstLink } from "../chain.ts";
import { projectIndex } from "../index-projection.ts";
import { assertFree } from "../stored-lease.ts";
import { alreadyStored, assertRising } from "../assert-rising.ts";
import { nextChange } from "./changes.ts";
import type { Connection } from "./connection.ts";
import { linkRows, toRows } from "./journal-rows.ts";
import { readLease } from "./beside/lease.ts";
import { storeJournal } from "./store-journal.ts";

/**
 * Stores a whole journal as it was, with its links recomputed.
 * @throws {AppError} `session.busy` when there is anything of the session, or somebody holds its lease; `storage.corrupt` when
 *   the numbers do not rise
 */
export function restore(connection: Connection, sessionId: SessionId, events: readonly SessionEvent[]): void {
  assertRising(sessionId, events);
  // Nothing is stored yet that a record could supersede.
  const journal = { ...toRows(events), superseded: [] };
  const index = projectIndex(events);
  const { links, head } = linkRows(journal.rows, firstLink);
  connection.write("flushed", () => {
    assertFree(sessionId, readLease(connection, sessionId));
    assertNothingStored(connection, sessionId);
    const [first, last] = [events[0], events.at(-1)];
    if (first === undefined || last === undefined) return;
    connection.run(deleteState, sessionId);
    connection.run(insertSession, sessionId, first.at, last.at, last.seq, head);
    storeJournal(connection, sessionId, { ...journal, links, index });
  });
}

function assertNothingStored(connection: Connection, sessionId: SessionId): void {
  const { stored } = connection.get<{ readonly stored: number }>(selectStored, sessionId, sessionId);
  if (stored === 0) return;
  throw alreadyStored(sessionId);
}

const selectStored =
  "SELECT EXISTS (SELECT 1 FROM sessions WHERE id = ?) OR EXISTS (SELECT 1 FROM events WHERE session_id = ?) AS stored";
const deleteState = "DELETE FROM saved_states WHERE session_id = ?";
const insertSession =
  "INSERT INTO sessions (id, title, cwd, model, created_at, updated_at, turns, last_seq, head, change)" +
  ` VALUES (?, '', '', '', ?, ?, 0, ?, ?, ${nextChange})`;

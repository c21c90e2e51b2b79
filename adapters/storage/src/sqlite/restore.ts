import type { SessionEvent, SessionId } from "@capstan/protocol";
import { firstLink } from "../chain.ts";
import { projectIndex } from "../index-projection.ts";
import { assertFree } from "../stored-lease.ts";
import { alreadyStored, risingNumbers } from "../assert-rising.ts";
import { restoredAtOnce } from "../limits.ts";
import { nextChange } from "./changes.ts";
import type { Connection } from "./connection.ts";
import { linkRows, toRows } from "./journal-rows.ts";
import { readLease } from "./beside/lease.ts";
import { storeJournal } from "./store-journal.ts";

/**
 * Stores a whole journal as it was, with its links recomputed: a part of it at a time, in one transaction.
 * @throws {AppError} `session.busy` when there is anything of the session, or somebody holds its lease; `storage.corrupt` when
 *   the numbers do not rise; what the events throw
 */
export function restore(connection: Connection, sessionId: SessionId, events: Iterable<SessionEvent>): void {
  connection.write("flushed", () => {
    assertFree(sessionId, readLease(connection, sessionId));
    assertNothingStored(connection, sessionId);
    const assertNext = risingNumbers(sessionId);
    let head: string | undefined;
    for (const part of partsOf(events)) {
      for (const { seq } of part) assertNext(seq);
      const [first, last] = [part[0], part.at(-1)];
      if (first === undefined || last === undefined) break;
      if (head === undefined) {
        connection.run(deleteState, sessionId);
        connection.run(insertSession, sessionId, first.at, last.at, last.seq, firstLink);
      }
      const changes = toRows(part);
      const linked = linkRows(changes.rows, head ?? firstLink);
      head = linked.head;
      storeJournal(connection, sessionId, { ...changes, links: linked.links, index: projectIndex(part) });
      connection.run(updateEnd, last.at, last.seq, head, sessionId);
    }
  });
}

/** Never none: the last part may be empty. */
function* partsOf(events: Iterable<SessionEvent>): Generator<readonly SessionEvent[]> {
  let part: SessionEvent[] = [];
  for (const event of events) {
    part.push(event);
    if (part.length < restoredAtOnce) continue;
    yield part;
    part = [];
  }
  yield part;
}

function assertNothingStored(connection: Connection, sessionId: SessionId): void {
  const { stored } = connection.get<{ readonly stored: number }>(selectStored, sessionId, sessionId, sessionId);
  if (stored === 0) return;
  throw alreadyStored(sessionId);
}

const selectStored =
  "SELECT EXISTS (SELECT 1 FROM sessions WHERE id = ?) OR EXISTS (SELECT 1 FROM events WHERE session_id = ?)" +
  " OR EXISTS (SELECT 1 FROM cold_records WHERE session_id = ?) AS stored";
const deleteState = "DELETE FROM saved_states WHERE session_id = ?";
const insertSession =
  "INSERT INTO sessions (id, title, cwd, model, created_at, updated_at, turns, last_seq, head, change)" +
  ` VALUES (?, '', '', '', ?, ?, 0, ?, ?, ${nextChange})`;
const updateEnd = "UPDATE sessions SET updated_at = ?, last_seq = ?, head = ? WHERE id = ?";

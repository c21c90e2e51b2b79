import type { ChangedSession, PendingInteraction, StoreChanges } from "@capstan/ports";
import type { SessionId } from "@capstan/protocol";
import { keptDeletions } from "../limits.ts";
import type { Connection } from "./connection.ts";
import { readInbox, readInboxOf, readSummaries, readSummariesAfter } from "./read.ts";

/** SQL: the number of the last change there was. */
const lastChange =
  "max((SELECT coalesce(max(change), 0) FROM sessions), (SELECT coalesce(max(change), 0) FROM deletions))";

/** SQL: the number of the change that is being made. */
export const nextChange: string = `1 + ${lastChange}`;

/** What has changed since `cursor`, seen at one moment. */
export function readChanges(connection: Connection, path: string, cursor: number): StoreChanges {
  // Almost always nothing has: one look, without a transaction.
  if (cursor !== 0 && endOf(connection) === cursor) return { cursor, isWhole: false, sessions: [], deleted: [] };
  return connection.read(() => {
    const end = endOf(connection);
    if (cursor === 0 || cursor > end || isForgotten(connection, cursor)) return everything(connection, path, end);
    const sessions = readSummariesAfter(connection, cursor).map((summary): ChangedSession => ({
      summary,
      pending: readInboxOf(connection, path, summary.id),
    }));
    const deleted = connection.all<{ readonly id: SessionId }>(selectDeleted, cursor).map(({ id }) => id);
    return { cursor: end, isWhole: false, sessions, deleted };
  });
}

/** Notes that a session is gone, inside the transaction that removes it. Older notes are forgotten beyond a number. */
export function noteDeletion(connection: Connection, sessionId: SessionId): void {
  if (connection.run(insertDeletion, sessionId, sessionId) > 0) connection.run(forgetDeletions, keptDeletions);
}

function everything(connection: Connection, path: string, end: number): StoreChanges {
  const inbox = new Map<SessionId, PendingInteraction[]>();
  for (const pending of readInbox(connection, path)) {
    const of = inbox.get(pending.sessionId);
    if (of === undefined) inbox.set(pending.sessionId, [pending]);
    else of.push(pending);
  }
  const sessions = readSummaries(connection).map((summary) => ({ summary, pending: inbox.get(summary.id) ?? [] }));
  return { cursor: end, isWhole: true, sessions, deleted: [] };
}

function endOf(connection: Connection): number {
  return connection.get<{ readonly end: number }>(selectEnd).end;
}

/** Whether a deletion after the cursor may have been forgotten. */
function isForgotten(connection: Connection, cursor: number): boolean {
  const { count, oldest } = connection.get<{ readonly count: number; readonly oldest: number | null }>(selectOldest);
  return count >= keptDeletions && oldest !== null && cursor < oldest;
}

const selectEnd = `SELECT ${lastChange} AS "end"`;
const selectOldest = "SELECT count(*) AS count, min(change) AS oldest FROM deletions";
// One that was made again under the same id is there.
const selectDeleted =
  "SELECT session_id AS id FROM deletions WHERE change > ? AND session_id NOT IN (SELECT id FROM sessions)" +
  " GROUP BY session_id ORDER BY max(change)";
const insertDeletion = `INSERT INTO deletions (change, session_id) SELECT ${nextChange}, ? WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ?)`;
const forgetDeletions =
  "DELETE FROM deletions WHERE change <= (SELECT change FROM deletions ORDER BY change DESC LIMIT 1 OFFSET ?)";

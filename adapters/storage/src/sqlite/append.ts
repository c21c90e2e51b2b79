import { AppError, type SessionEvent, type SessionId } from "@capstan/protocol";
import type { AppendBatch } from "@capstan/ports";
import { type InboxChange, type IndexChanges, projectIndex } from "../index-projection.ts";
import type { Connection } from "./connection.ts";
import { type RowChanges, toRows } from "./journal-rows.ts";

/** Appends a batch with everything that follows from it, as one transaction. */
export function append(connection: Connection, sessionId: SessionId, batch: AppendBatch): readonly SessionEvent[] {
  const events = batch.records.map((record, index) => ({ seq: batch.after + index + 1, at: batch.at, record }));
  // Before the transaction, so that nobody waits for our serialising.
  const journal = toRows(events);
  const index = projectIndex(batch.records);
  connection.write(batch.flush ? "flushed" : "committed", () => {
    claimNumbers(connection, sessionId, batch);
    storeRows(connection, sessionId, batch.at, journal);
    if (index !== undefined) storeIndex(connection, { sessionId, batch }, index);
  });
  return events;
}

/** @throws {AppError} `session.busy` when `after` is not the last number given out (0 for an unknown session) */
export function assertLastNumber(connection: Connection, sessionId: SessionId, after: number): void {
  const [row] = connection.all<{ readonly last: number }>(selectLastNumber, sessionId);
  const last = row?.last ?? 0;
  if (last === after) return;
  throw new AppError("session.busy", `session ${sessionId}: its last record is ${last}, the writer expected ${after}`, {
    hint: "Another process writes to this session: wait for it, or fork the session.",
  });
}

/** Compares and moves the last number in one statement. Whoever comes second finds another number and gets nothing. */
function claimNumbers(connection: Connection, sessionId: SessionId, { after, at, records }: AppendBatch): void {
  const last = after + records.length;
  const claimed =
    after === 0
      ? connection.run(insertSession, sessionId, at, at, last)
      : connection.run(moveLastNumber, last, at, sessionId, after);
  if (claimed !== 1) assertLastNumber(connection, sessionId, after);
}

function storeRows(connection: Connection, sessionId: SessionId, at: number, changes: RowChanges): void {
  for (const scope of changes.superseded) connection.run(deleteScope, sessionId, scope);
  for (const row of changes.rows) connection.run(insertRow, sessionId, row.seq, at, row.scope, row.body);
}

interface Appended {
  readonly sessionId: SessionId;
  readonly batch: AppendBatch;
}

function storeIndex(connection: Connection, appended: Appended, changes: IndexChanges): void {
  connection.run(
    updateIndex,
    changes.cwd ?? null,
    changes.forkedFrom ?? null,
    changes.model ?? null,
    changes.title ?? "",
    changes.turnsStarted,
    changes.lastOutcome ?? null,
    appended.sessionId,
  );
  for (const change of changes.inbox) storeInboxChange(connection, appended, change);
}

function storeInboxChange(connection: Connection, { sessionId, batch }: Appended, change: InboxChange): void {
  if (change.type === "resolved") {
    connection.run(deleteInteraction, sessionId, change.interactionId);
    return;
  }
  const { interaction } = change;
  const seq = batch.after + change.position + 1;
  connection.run(insertInteraction, sessionId, interaction.id, batch.at, seq, JSON.stringify(interaction));
}

const selectLastNumber = "SELECT last_seq AS last FROM sessions WHERE id = ?";
const insertSession =
  "INSERT INTO sessions (id, title, cwd, model, created_at, updated_at, turns, last_seq)" +
  " VALUES (?, '', '', '', ?, ?, 0, ?) ON CONFLICT (id) DO NOTHING";
const moveLastNumber = "UPDATE sessions SET last_seq = ?, updated_at = ? WHERE id = ? AND last_seq = ?";
const updateIndex =
  "UPDATE sessions SET cwd = coalesce(?, cwd), forked_from = coalesce(?, forked_from), model = coalesce(?, model)," +
  " title = CASE title WHEN '' THEN ? ELSE title END, turns = turns + ?, last_outcome = coalesce(?, last_outcome)" +
  " WHERE id = ?";
const deleteScope = "DELETE FROM events WHERE session_id = ? AND scope = ?";
const insertRow = "INSERT INTO events (session_id, seq, at, scope, body) VALUES (?, ?, ?, ?, ?)";
const insertInteraction =
  "INSERT OR REPLACE INTO interactions (session_id, id, opened_at, opened_seq, body) VALUES (?, ?, ?, ?, ?)";
const deleteInteraction = "DELETE FROM interactions WHERE session_id = ? AND id = ?";

import { AppError, type SessionEvent, type SessionId } from "@capstan/protocol";
import type { AppendBatch } from "@capstan/ports";
import { firstLink } from "../chain.ts";
import { projectIndex } from "../index-projection.ts";
import { assertWriter } from "../stored-lease.ts";
import { nextChange } from "./changes.ts";
import type { Connection } from "./connection.ts";
import { linkRows, type NewRow, toRows } from "./journal-rows.ts";
import { readLease } from "./beside/lease.ts";
import { storeJournal } from "./store-journal.ts";

/** Appends a batch with everything that follows from it, as one transaction. */
export function append(connection: Connection, sessionId: SessionId, batch: AppendBatch): readonly SessionEvent[] {
  const events = batch.records.map((record, index) => ({ seq: batch.after + index + 1, at: batch.at, record }));
  // Before the transaction, so that nobody waits for our serialising.
  const journal = toRows(events);
  const index = projectIndex(events);
  connection.write(batch.flush ? "flushed" : "committed", () => {
    const { links, head } = link(connection, { sessionId, batch }, journal.rows);
    claimNumbers(connection, { sessionId, batch }, head);
    storeJournal(connection, sessionId, { ...journal, links, index });
  });
  return events;
}

/**
 * @throws {AppError} `session.busy` when the batch's lease is not the last one given out, and when `after` is not the last
 *   number given out (0 for an unknown session)
 */
export function assertMayAppend(
  connection: Connection,
  sessionId: SessionId,
  { after, generation }: AppendBatch,
): void {
  assertWriter(sessionId, readLease(connection, sessionId), generation);
  const [row] = connection.all<{ readonly last: number }>(selectLastNumber, sessionId);
  const last = row?.last ?? 0;
  if (last === after) return;
  throw new AppError("session.busy", `session ${sessionId}: its last record is ${last}, the writer expected ${after}`, {
    hint: `Another process writes to this session: wait for it, or fork the session. If none does, records are missing: \`capstan doctor ${sessionId}\` says which.`,
  });
}

interface Appended {
  readonly sessionId: SessionId;
  readonly batch: AppendBatch;
}

/** `head` is `null` when nothing of the batch belongs to the chain. */
function link(
  connection: Connection,
  { sessionId, batch }: Appended,
  rows: readonly NewRow[],
): { readonly links: readonly (string | null)[]; readonly head: string | null } {
  if (rows.every((row) => row.scope !== null)) return { links: [], head: null };
  const [last] = batch.after === 0 ? [] : connection.all<{ readonly head: string }>(selectHead, sessionId);
  return linkRows(rows, last?.head ?? firstLink);
}

/**
 * Compares lease and last number, and moves the number, in one statement. Whoever comes second finds another number, whoever
 * was taken over another generation, and gets nothing.
 */
function claimNumbers(connection: Connection, { sessionId, batch }: Appended, head: string | null): void {
  const { after, at, records, generation } = batch;
  const last = after + records.length;
  const lease = generation === undefined ? [sessionId] : [sessionId, generation];
  const sql = generation === undefined ? unleased : leased;
  const moveNumber = (): number =>
    head === null
      ? connection.run(sql.move, last, at, sessionId, after, ...lease)
      : connection.run(sql.moveWithHead, last, at, head, sessionId, after, ...lease);
  const claimed =
    after === 0 ? connection.run(sql.insert, sessionId, at, at, last, head ?? firstLink, ...lease) : moveNumber();
  if (claimed === 1) return;
  assertMayAppend(connection, sessionId, batch);
  throw new AppError("storage.corrupt", `session ${sessionId}: its entry in the index has no last number`, {
    hint: "Restore a backup from the data directory; nothing was written.",
  });
}

const selectLastNumber = "SELECT last_seq AS last FROM sessions WHERE id = ?";
const selectHead = "SELECT head FROM sessions WHERE id = ?";

interface ClaimSql {
  readonly insert: string;
  /** Deltas leave the head of the chain as it is; they are most of what is written. */
  readonly move: string;
  readonly moveWithHead: string;
}

/** @param condition  on the lease, of the session and what else is bound after it */
function claimSql(condition: string): ClaimSql {
  return {
    insert:
      "INSERT INTO sessions (id, title, cwd, model, created_at, updated_at, turns, last_seq, head, change)" +
      ` SELECT ?, '', '', '', ?, ?, 0, ?, ?, ${nextChange} WHERE ${condition} ON CONFLICT (id) DO NOTHING`,
    move: `UPDATE sessions SET last_seq = ?, updated_at = ? WHERE id = ? AND last_seq = ? AND ${condition}`,
    moveWithHead: `UPDATE sessions SET last_seq = ?, updated_at = ?, head = ? WHERE id = ? AND last_seq = ? AND ${condition}`,
  };
}

const unleased: ClaimSql = claimSql("NOT EXISTS (SELECT 1 FROM leases WHERE session_id = ? AND held)");
const leased: ClaimSql = claimSql("EXISTS (SELECT 1 FROM leases WHERE session_id = ? AND generation = ?)");

import type { SessionId } from "@capstan/protocol";
import { firstLink } from "../chain.ts";
import { coldAfter, coldBefore } from "./cold/rows.ts";
import type { Connection } from "./connection.ts";
import type { JournalRow } from "./journal-rows.ts";

// A row stands in `events`, or with others in a compressed block; another process may move it there between two statements. `events` is
// read first: such a row is then found twice, and never missed.

/** Rows with a number greater than `after`, oldest first, at most `limit`; -1: all. */
export function rowsAfter(
  connection: Connection,
  sessionId: SessionId,
  after: number,
  limit = -1,
): readonly JournalRow[] {
  const warm = connection.all<JournalRow>(selectAfter, sessionId, after, limit);
  const cold = coldAfter(connection, sessionId, after, limit);
  if (cold.length === 0) return warm;
  const rows = joined(warm, cold, (a, b) => a - b);
  return limit < 0 ? rows : rows.slice(0, limit);
}

/** Rows with a number below `before`, newest first, at most `limit`. */
export function rowsBefore(
  connection: Connection,
  sessionId: SessionId,
  before: number,
  limit: number,
): readonly JournalRow[] {
  const warm = connection.all<JournalRow>(selectBefore, sessionId, before, limit);
  // The newest rows of a session that is in use are warm: then no block is looked for.
  if (warm.length === limit && isGapless(warm, before)) return warm;
  const cold = coldBefore(connection, sessionId, before, limit);
  return cold.length === 0 ? warm : joined(warm, cold, (a, b) => b - a).slice(0, limit);
}

/** The newest row of the chain below a number. */
export function linkedBefore(connection: Connection, sessionId: SessionId, before: number): JournalRow | undefined {
  const [warm] = connection.all<JournalRow>(selectLinkedBefore, sessionId, before);
  if (warm?.seq === before - 1) return warm;
  const [cold] = coldBefore(connection, sessionId, before, 1);
  return cold !== undefined && cold.seq > (warm?.seq ?? Number.MIN_SAFE_INTEGER) ? cold : warm;
}

/** The link of the newest row of the chain below a number. */
export function linkBefore(connection: Connection, sessionId: SessionId, before: number): string {
  return linkedBefore(connection, sessionId, before)?.hash ?? firstLink;
}

/** Whether the rows have every number from theirs up to `before`. */
function isGapless(rows: readonly JournalRow[], before: number): boolean {
  return rows.every(({ seq }, index) => seq === before - index - 1);
}

function joined(
  warm: readonly JournalRow[],
  cold: readonly JournalRow[],
  order: (a: number, b: number) => number,
): readonly JournalRow[] {
  const found = new Set(warm.map(({ seq }) => seq));
  return [...warm, ...cold.filter(({ seq }) => !found.has(seq))].toSorted((a, b) => order(a.seq, b.seq));
}

const columns =
  "SELECT seq, at, scope IS NOT NULL AS isRun, body, hash, length(CAST(body AS BLOB)) AS bytes FROM events WHERE session_id = ?";
const selectAfter = `${columns} AND seq > ? ORDER BY seq LIMIT ?`;
const selectBefore = `${columns} AND seq < ? ORDER BY seq DESC LIMIT ?`;
const selectLinkedBefore = `${columns} AND seq < ? AND scope IS NULL ORDER BY seq DESC LIMIT 1`;

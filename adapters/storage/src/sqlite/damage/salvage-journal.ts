import type { JournalProblem } from "@capstan/ports";
import { messageOf, type SessionEvent, type SessionId } from "@capstan/protocol";
import { firstLink, nextLink } from "../../chain.ts";
import { busyTimeoutMs, salvagedRowsAtOnce } from "../../limits.ts";
import { toStorageError } from "../../storage-error.ts";
import { type Connection, connect } from "../connection.ts";
import { loadSqlite } from "../database.ts";
import { type ChainedRow, fromRow } from "../journal-rows.ts";
import { rowsAfter } from "../rows.ts";

/** The longest good beginning of a journal: every record in it is readable, and each link follows on the one before it. */
export interface SalvagedJournal {
  readonly events: readonly SessionEvent[];
  /** Why it does not continue; `null`: that is all there is. */
  readonly problem: JournalProblem | null;
}

/** Reads as much of a damaged journal as can be trusted, and changes nothing. @throws {AppError} `storage.*` */
export function salvageJournal(path: string, sessionId: SessionId): SalvagedJournal {
  try {
    const connection = connect(loadSqlite(), path, busyTimeoutMs);
    try {
      return salvage(connection, sessionId);
    } finally {
      connection.close();
    }
  } catch (error) {
    throw toStorageError(error, path, "read");
  }
}

function salvage(connection: Connection, sessionId: SessionId): SalvagedJournal {
  const events: SessionEvent[] = [];
  let link = firstLink;
  for (;;) {
    const rows = readAfter(connection, sessionId, lastNumber(events));
    if (typeof rows === "string") return { events, problem: { seq: null, kind: "unreadable", text: rows } };
    if (rows.length === 0) return { events, problem: null };
    for (const row of rows) {
      const good = goodRow(row, link, lastNumber(events));
      if ("problem" in good) return { events, problem: good.problem };
      link = good.link;
      events.push(...good.events);
    }
  }
}

function lastNumber(events: readonly SessionEvent[]): number {
  return events.at(-1)?.seq ?? 0;
}

/** The events of a row that follows on the link and the number before it, and the link after it. */
function goodRow(
  row: ChainedRow,
  before: string,
  number: number,
): { readonly events: readonly SessionEvent[]; readonly link: string } | { readonly problem: JournalProblem } {
  const isRun = row.isRun === 1;
  const link = isRun ? before : nextLink(before, row);
  const isLinked = isRun || link === row.hash;
  const found = fromRow(row);
  if ("problem" in found && (isLinked || found.problem.kind === "unreadable"))
    return { problem: { seq: row.seq, ...found.problem } };
  if ("events" in found && isLinked && (found.events[0]?.seq ?? 0) > number) return { events: found.events, link };
  const text = `the record with number ${row.seq} does not follow on the one before it`;
  return { problem: { seq: row.seq, kind: "broken-chain", text } };
}

/** A damaged page makes SQLite refuse the rows on it, and those after them. */
function readAfter(connection: Connection, sessionId: SessionId, after: number): readonly ChainedRow[] | string {
  try {
    return rowsAfter(connection, sessionId, after, salvagedRowsAtOnce);
  } catch (error) {
    return `the database cannot be read further: ${messageOf(error)}`;
  }
}

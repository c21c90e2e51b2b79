import { isDeepStrictEqual } from "node:util";
import type { SessionId } from "@capstan/protocol";
import { nextLink } from "../../chain.ts";
import { blockBytes, blockReadAtOnce, blockRows, busyTimeoutMs } from "../../limits.ts";
import { toStorageError } from "../../storage-error.ts";
import { type Connection, connect } from "../connection.ts";
import { loadSqlite } from "../database.ts";
import type { JournalRow } from "../journal-rows.ts";
import { leaveNothing } from "../delete.ts";
import { linkBefore } from "../rows.ts";
import { decodeBlock, encodeBlock } from "./block.ts";

/** What became of a session in one step. */
export interface CompressionStep {
  readonly sessionId: SessionId;
  /**
   * `more`: a block of it, and there is more. `damaged`: a record does not follow on the one before it; from there on everything stays as it is,
   * for `doctor`. `used`: somebody has written to it or removed it meanwhile.
   */
  readonly state: "more" | "cold" | "damaged" | "used";
}

/**
 * Compresses the records of sessions in which nothing has happened since `before`, block by block. Each block is one short transaction that
 * moves its records: killed anywhere, everything is there, and the next call continues. Whoever reads or writes meanwhile, in whatever process,
 * sees no difference; a lease is not needed, because what was stored is never changed by its writer. Pieces that wait for their end stay.
 * The caller decides after each step whether to continue.
 * @param before  ms since 1970
 * @throws {AppError} `storage.*`
 */
export function* compressSessions(path: string, before: number): Generator<CompressionStep> {
  const connection = opened(path);
  try {
    const found = attempt(path, () => connection.all<{ readonly id: SessionId }>(selectOld, before));
    for (const { id } of found) {
      let state: CompressionStep["state"];
      do {
        state = attempt(path, () => compressBlock(connection, id, before));
        yield { sessionId: id, state };
      } while (state === "more");
    }
  } finally {
    connection.close();
  }
}

/** The sessions that `compressSessions` would begin with. @throws {AppError} `storage.*` */
export function sessionsToCompress(path: string, before: number): readonly SessionId[] {
  const connection = opened(path);
  try {
    return attempt(path, () => connection.all<{ readonly id: SessionId }>(selectOld, before).map(({ id }) => id));
  } finally {
    connection.close();
  }
}

/** Makes the file as small as what is in it, where it is not too large for that and nobody stands in the way. @throws {AppError} `storage.*` */
export function shrinkDatabase(path: string): void {
  const connection = opened(path);
  try {
    leaveNothing(connection);
  } finally {
    connection.close();
  }
}

function opened(path: string): Connection {
  return attempt(path, () => connect(loadSqlite(), path, busyTimeoutMs));
}

function attempt<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toStorageError(error, path, "write");
  }
}

function compressBlock(connection: Connection, id: SessionId, before: number): CompressionStep["state"] {
  const rows = nextRows(connection, id);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) {
    return connection.write("committed", () => (connection.run(markCold, id, before) === 1 ? "cold" : "used"));
  }
  if (!isWhole(rows, linkBefore(connection, id, first.seq))) return "damaged";
  const block = encodeBlock(rows);
  if (!isDeepStrictEqual(decodeBlock(block), rows.map(plain))) return "damaged";
  return connection.write("flushed", () => move(connection, { id, before, rows, first, last, block }));
}

/** SQLite's rows have no prototype. */
function plain(row: JournalRow): JournalRow {
  return { ...row };
}

/** Whether each record follows on the one before it. SQLite hands out text up to a NUL only. */
function isWhole(rows: readonly JournalRow[], before: string): boolean {
  let link = before;
  return rows.every((row) => {
    link = nextLink(link, row);
    return row.hash === link && Buffer.byteLength(row.body) === row.bytes;
  });
}

interface Move {
  readonly id: SessionId;
  readonly before: number;
  readonly rows: readonly JournalRow[];
  readonly first: JournalRow;
  readonly last: JournalRow;
  readonly block: Uint8Array;
}

/** Only if no other process has moved or removed them meanwhile, and nobody has used the session. */
function move(connection: Connection, { id, before, rows, first, last, block }: Move): CompressionStep["state"] {
  const { count } = connection.get<{ readonly count: number }>(countRows, id, first.seq, last.seq, id, before);
  if (count !== rows.length) return "used";
  connection.run(insertBlock, id, last.seq, first.seq, block);
  connection.run(deleteRows, id, first.seq, last.seq);
  return "more";
}

/** The oldest records that are not compressed, as many as a block holds. A few at a time, because one row may hold a whole answer. */
function nextRows(connection: Connection, id: SessionId): readonly JournalRow[] {
  const rows: JournalRow[] = [];
  let bytes = 0;
  for (;;) {
    const part = connection.all<JournalRow>(
      selectNext,
      id,
      rows.at(-1)?.seq ?? Number.MIN_SAFE_INTEGER,
      blockReadAtOnce,
    );
    for (const row of part) {
      rows.push(row);
      bytes += row.bytes;
      if (bytes >= blockBytes || rows.length === blockRows) return rows;
    }
    if (part.length < blockReadAtOnce) return rows;
  }
}

const selectOld = "SELECT id FROM sessions WHERE updated_at < ? AND last_seq > cold_through ORDER BY updated_at, id";
const selectNext =
  "SELECT seq, at, 0 AS isRun, body, hash, length(CAST(body AS BLOB)) AS bytes FROM events" +
  " WHERE session_id = ? AND scope IS NULL AND seq > ? ORDER BY seq LIMIT ?";
const between = "FROM events WHERE session_id = ? AND seq BETWEEN ? AND ? AND scope IS NULL";
const countRows = `SELECT count(*) AS count ${between} AND EXISTS (SELECT 1 FROM sessions WHERE id = ? AND updated_at < ?)`;
const deleteRows = `DELETE ${between}`;
const insertBlock = "INSERT INTO cold_records (session_id, seq, first_seq, body) VALUES (?, ?, ?, ?)";
const markCold = "UPDATE sessions SET cold_through = last_seq WHERE id = ? AND updated_at < ?";

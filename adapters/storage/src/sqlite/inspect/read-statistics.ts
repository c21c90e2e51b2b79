import type { JournalRecord, SessionEvent, SessionId } from "@capstan/protocol";
import { busyTimeoutMs, rowsReadAtOnce } from "../../limits.ts";
import { toStorageError } from "../../storage-error.ts";
import { type Connection, connect } from "../connection.ts";
import { loadSqlite } from "../database.ts";
import { fromRow, type JournalRow, type StoredRow } from "../journal-rows.ts";
import { rowsAfter } from "../rows.ts";

/** What is stored of a session, counted. */
export interface JournalStatistics {
  readonly sessionId: SessionId;
  /** Those that stay; pieces are counted apart. */
  readonly records: number;
  /** Pieces of answers and outputs that no record has superseded yet. */
  readonly pendingPieces: number;
  /** Model calls and summaries that began and have no end. */
  readonly openSteps: number;
  readonly callsWithoutOutcome: number;
  /** Rows that this Capstan cannot understand; they count as bytes, and as nothing else. */
  readonly unreadable: number;
  /** Of the records and pieces, uncompressed. */
  readonly bytes: number;
  /** Of the compressed blocks that hold records of it; 0: none is compressed. */
  readonly coldBytes: number;
  /** It is compressed whole, and nothing was added since. */
  readonly isCold: boolean;
}

/**
 * Counts what is stored of every session, most recently active first, and changes nothing.
 * @param only  count this session alone
 * @throws {AppError} `storage.*`
 */
export function readStatistics(path: string, only?: SessionId): readonly JournalStatistics[] {
  try {
    const connection = connect(loadSqlite(), path, busyTimeoutMs);
    try {
      return connection.read(() => {
        const ids = only === undefined ? connection.all<{ readonly id: SessionId }>(selectIds) : [{ id: only }];
        return ids.map(({ id }) => statisticsOf(connection, id));
      });
    } finally {
      connection.close();
    }
  } catch (error) {
    throw toStorageError(error, path, "read");
  }
}

function statisticsOf(connection: Connection, sessionId: SessionId): JournalStatistics {
  const open = new OpenWork();
  let [records, pendingPieces, unreadable, bytes] = [0, 0, 0, 0];
  for (const row of rowsOf(connection, sessionId)) {
    bytes += row.bytes;
    const events = understood(row, open);
    if (events.length === 0) unreadable += 1;
    else if (row.isRun === 1) pendingPieces += events.length;
    else records += 1;
  }
  const { openSteps, callsWithoutOutcome } = open;
  const cold = connection.get<{ readonly coldBytes: number; readonly isCold: number }>(selectCold, sessionId);
  const counts = { records, pendingPieces, openSteps, callsWithoutOutcome, unreadable, bytes };
  return { sessionId, ...counts, coldBytes: cold.coldBytes, isCold: cold.isCold === 1 };
}

/** @returns nothing for a row that is damaged, were it only that a field of its record is missing */
function understood(row: StoredRow, open: OpenWork): readonly SessionEvent[] {
  const found = fromRow(row);
  if ("problem" in found) return [];
  try {
    for (const { record } of found.events) open.count(record);
    return found.events;
  } catch {
    return [];
  }
}

function* rowsOf(connection: Connection, sessionId: SessionId): Generator<JournalRow> {
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const rows = rowsAfter(connection, sessionId, after, rowsReadAtOnce);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.seq;
  }
}

/** What has begun and not ended. A call's id is whatever the model wrote, so two calls may have the same. */
class OpenWork {
  readonly #steps = new Set<string>();
  readonly #calls = new Map<string, number>();

  get openSteps(): number {
    return this.#steps.size;
  }

  get callsWithoutOutcome(): number {
    return [...this.#calls.values()].reduce((sum, calls) => sum + calls, 0);
  }

  count(record: JournalRecord): void {
    switch (record.type) {
      case "step-started":
      case "compaction-started":
      case "summary-started":
        this.#steps.add(record.stepId);
        return;
      case "step-completed":
        this.#steps.delete(record.stepId);
        for (const block of record.message.content) if (block.type === "tool-call") this.#add(block.callId, 1);
        return;
      case "step-abandoned":
      case "compaction-completed":
      case "compaction-failed":
      case "summary-made":
      case "summary-dropped":
        this.#steps.delete(record.stepId);
        return;
      case "turn-started":
        if (record.call !== undefined) this.#add(record.call.callId, 1);
        return;
      case "tool-finished":
        this.#add(record.callId, -1);
        return;
      default:
    }
  }

  #add(callId: string, change: 1 | -1): void {
    this.#calls.set(callId, Math.max(0, (this.#calls.get(callId) ?? 0) + change));
  }
}

// Records without a row in the index are there as well: a damaged file may have some.
const selectIds =
  "SELECT ids.id FROM (SELECT id FROM sessions UNION SELECT session_id FROM events" +
  " UNION SELECT session_id FROM cold_records) AS ids" +
  " LEFT JOIN sessions ON sessions.id = ids.id ORDER BY sessions.updated_at DESC, ids.id DESC";
const selectCold =
  "SELECT coalesce(sum(length(body)), 0) AS coldBytes, coalesce(max(last_seq = cold_through), 0) AS isCold FROM sessions" +
  " LEFT JOIN cold_records ON session_id = id WHERE id = ?";

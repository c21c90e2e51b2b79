import type { ChainedEvent, PendingInteraction } from "@capstan/ports";
import { type SessionEvent, type SessionId, type SessionSummary, type TurnOutcome } from "@capstan/protocol";
import { nextLink } from "../chain.ts";
import { corruptRow, newerRecord } from "../storage-error.ts";
import type { Connection } from "./connection.ts";
import { readInteraction } from "./inbox-rows.ts";
import { fromRow, storedIn, type StoredRow } from "./journal-rows.ts";
import { linkBefore, rowsAfter, rowsBefore } from "./rows.ts";

/** Kept events with a number greater than `after`, oldest first. @throws {AppError} `storage.corrupt` */
export function readEvents(
  connection: Connection,
  path: string,
  sessionId: SessionId,
  { after, limit = -1 }: { readonly after: number; readonly limit?: number | undefined },
): readonly SessionEvent[] {
  return rowsAfter(connection, sessionId, after, limit).flatMap((row) => {
    const events = eventsOf(connection, row, { path, sessionId });
    // A row is found under its last number: a run may begin before the first one asked for.
    return events.filter((event) => event.seq > after);
  });
}

/** The newest kept events below `before`, oldest first. @throws {AppError} `storage.corrupt`, `storage.newer-version` */
export function readEventsBefore(
  connection: Connection,
  path: string,
  sessionId: SessionId,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): readonly SessionEvent[] {
  const end = before ?? Number.MAX_SAFE_INTEGER;
  // A row is found under its last number: the run that ends at or after the limit may begin before it.
  const rows = [
    ...connection.all<StoredRow>(selectRunAt, sessionId, end),
    ...rowsBefore(connection, sessionId, end, Math.max(1, limit)),
  ];
  return rows
    .toReversed()
    .flatMap((row) => eventsOf(connection, row, { path, sessionId }))
    .filter((event) => event.seq < end);
}

/** Kept events with their links and a number greater than `after`, oldest first. @throws {AppError} `storage.corrupt` */
export function readChainedEvents(
  connection: Connection,
  path: string,
  sessionId: SessionId,
  { after, limit = -1 }: { readonly after: number; readonly limit?: number | undefined },
): readonly ChainedEvent[] {
  return rowsAfter(connection, sessionId, after, limit).flatMap((row) => {
    const stored = storedIn(row);
    return eventsOf(connection, row, { path, sessionId }).flatMap((event, index) => {
      const entry = stored[index];
      return entry === undefined || event.seq <= after ? [] : [{ ...event, hash: row.hash, stored: entry.stored }];
    });
  });
}

/** Every session, newest first by last activity. */
export function readSummaries(connection: Connection): readonly SessionSummary[] {
  return connection.all<SessionRow>(selectSessions).map(toSummary);
}

/** Those of which something has changed after this number, in order of their changes. */
export function readSummariesAfter(connection: Connection, change: number): readonly SessionSummary[] {
  return connection.all<SessionRow>(selectChanged, change).map(toSummary);
}

/** Ids that begin with `prefix`, at most `limit`, in order. */
export function readIds(connection: Connection, prefix: string, limit: number): readonly SessionId[] {
  const rows = connection.all<{ readonly id: SessionId }>(selectIds, prefix, prefix, prefix, Math.max(0, limit));
  return rows.map((row) => row.id);
}

/** Everything that waits for a user, oldest first. @throws {AppError} `storage.corrupt`, `storage.newer-version` */
export function readInbox(connection: Connection, path: string): readonly PendingInteraction[] {
  return connection.all<InteractionRow>(selectInbox).map((row) => toPending(row, path));
}

/** What waits in one session, oldest first. @throws {AppError} `storage.corrupt`, `storage.newer-version` */
export function readInboxOf(connection: Connection, path: string, id: SessionId): readonly PendingInteraction[] {
  return connection.all<InteractionRow>(selectInboxOf, id).map((row) => toPending(row, path));
}

function toPending({ sessionId, id, openedAt, body }: InteractionRow, path: string): PendingInteraction {
  const read = readInteraction(body);
  if (read.type === "interaction") return { sessionId, openedAt, interaction: read.interaction };
  const what = `session ${sessionId}: interaction ${id}`;
  throw read.type === "newer"
    ? newerRecord(path, `${what} was written by a newer Capstan: ${read.text}`)
    : corruptRow(path, `${what} cannot be understood`);
}

/** @throws {AppError} `storage.corrupt`; `storage.newer-version` for a whole record that a later Capstan wrote */
function eventsOf(connection: Connection, row: StoredRow, at: RowPlace): readonly SessionEvent[] {
  const found = fromRow(row);
  if ("events" in found) return found.events;
  const { kind, text } = found.problem;
  const what = `session ${at.sessionId}: ${text}`;
  throw kind === "newer-version" && (row.isRun === 1 || isLinked(connection, row, at))
    ? newerRecord(at.path, what)
    : corruptRow(at.path, what);
}

interface RowPlace {
  readonly path: string;
  readonly sessionId: SessionId;
}

/** A type that is not known here may also be a damaged one: the record's link decides. */
function isLinked(connection: Connection, row: StoredRow, { sessionId }: RowPlace): boolean {
  const [own] = rowsAfter(connection, sessionId, row.seq - 1, 1);
  return own?.seq === row.seq && own.hash === nextLink(linkBefore(connection, sessionId, row.seq), row);
}

interface SessionRow extends Omit<SessionSummary, "lastOutcome" | "forkedFrom" | "spawnedBy" | "waiting"> {
  readonly lastOutcome: TurnOutcome | null;
  readonly waiting: number;
  readonly forkedFrom: SessionId | null;
  readonly spawnedBy: SessionId | null;
  readonly agent: string | null;
}

interface InteractionRow {
  readonly sessionId: SessionId;
  readonly id: string;
  readonly openedAt: number;
  readonly body: string;
}

function toSummary({ lastOutcome, forkedFrom, spawnedBy, agent, waiting, ...row }: SessionRow): SessionSummary {
  return {
    ...row,
    ...(waiting === 0 ? {} : { waiting }),
    ...(lastOutcome === null ? {} : { lastOutcome }),
    ...(forkedFrom === null ? {} : { forkedFrom }),
    ...(spawnedBy === null ? {} : { spawnedBy: { sessionId: spawnedBy, agent: agent ?? "" } }),
  };
}

const selectRunAt =
  "SELECT seq, at, 1 AS isRun, body FROM (SELECT seq, at, scope, body FROM events WHERE session_id = ? AND seq >= ?" +
  " ORDER BY seq LIMIT 1) WHERE scope IS NOT NULL";
const summaryColumns =
  "id, CASE given_title WHEN '' THEN title ELSE given_title END AS title, cwd, model, created_at AS createdAt," +
  " updated_at AS updatedAt, turns, last_outcome AS lastOutcome, forked_from AS forkedFrom," +
  " spawned_by AS spawnedBy, agent," +
  " (SELECT count(*) FROM interactions WHERE session_id = sessions.id) AS waiting";
const selectSessions = `SELECT ${summaryColumns} FROM sessions ORDER BY updated_at DESC, id DESC`;
const selectChanged = `SELECT ${summaryColumns} FROM sessions WHERE change > ? ORDER BY change`;
// The range finds the place in the index, the comparison of the beginning decides: no character of a prefix is special.
const selectIds =
  "SELECT id FROM sessions WHERE id >= ? AND id < ? || char(0x10FFFF) AND instr(id, ?) = 1 ORDER BY id LIMIT ?";
const interactionColumns = "session_id AS sessionId, id, opened_at AS openedAt, body";
const selectInbox = `SELECT ${interactionColumns} FROM interactions ORDER BY opened_at, session_id, opened_seq`;
const selectInboxOf = `SELECT ${interactionColumns} FROM interactions WHERE session_id = ? ORDER BY opened_at, opened_seq`;

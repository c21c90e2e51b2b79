import type { ChainedEvent } from "@capstan/ports";
import {
  type Interaction,
  isJsonObject,
  type SessionEvent,
  type SessionId,
  type SessionSummary,
  type TurnOutcome,
} from "@capstan/protocol";
import { corruptRow } from "../storage-error.ts";
import type { Connection } from "./connection.ts";
import { type ChainedRow, fromRow, type StoredRow } from "./journal-rows.ts";

/** Kept events with a number greater than `after`, oldest first. @throws {AppError} `storage.corrupt` */
export function readEvents(
  connection: Connection,
  path: string,
  sessionId: SessionId,
  { after, limit = -1 }: { readonly after: number; readonly limit?: number | undefined },
): readonly SessionEvent[] {
  return connection.all<StoredRow>(selectEvents, sessionId, after, limit).flatMap((row) => {
    const events = eventsOf(row, path, sessionId);
    // A row is found under its last number: a run may begin before the first one asked for.
    return events.filter((event) => event.seq > after);
  });
}

/** Every kept event with its link, oldest first. @throws {AppError} `storage.corrupt` */
export function readChainedEvents(connection: Connection, path: string, sessionId: SessionId): readonly ChainedEvent[] {
  return connection
    .all<ChainedRow>(selectChained, sessionId)
    .flatMap((row) => eventsOf(row, path, sessionId).map((event) => ({ ...event, hash: row.hash })));
}

/** Every session, newest first by last activity. */
export function readSummaries(connection: Connection): readonly SessionSummary[] {
  return connection.all<SessionRow>(selectSessions).map(toSummary);
}

/** Ids that begin with `prefix`, at most `limit`, in order. */
export function readIds(connection: Connection, prefix: string, limit: number): readonly SessionId[] {
  const rows = connection.all<{ readonly id: SessionId }>(selectIds, prefix, prefix, prefix, Math.max(0, limit));
  return rows.map((row) => row.id);
}

/** Everything that waits for a person, oldest first. @throws {AppError} `storage.corrupt` */
export function readInbox(connection: Connection, path: string): readonly PendingInteraction[] {
  return connection.all<InteractionRow>(selectInbox).map((row) => {
    const interaction = parseInteraction(row.body);
    if (interaction === undefined) {
      throw corruptRow(path, `session ${row.sessionId}: interaction ${row.id} cannot be understood`);
    }
    return { sessionId: row.sessionId, openedAt: row.openedAt, interaction };
  });
}

function eventsOf(row: StoredRow, path: string, sessionId: SessionId): readonly SessionEvent[] {
  const events = fromRow(row);
  if (typeof events === "string") throw corruptRow(path, `session ${sessionId}: ${events}`);
  return events;
}

interface PendingInteraction {
  readonly sessionId: SessionId;
  readonly openedAt: number;
  readonly interaction: Interaction;
}

interface SessionRow extends Omit<SessionSummary, "lastOutcome" | "forkedFrom"> {
  readonly lastOutcome: TurnOutcome | null;
  readonly forkedFrom: SessionId | null;
}

interface InteractionRow {
  readonly sessionId: SessionId;
  readonly id: string;
  readonly openedAt: number;
  readonly body: string;
}

function toSummary({ lastOutcome, forkedFrom, ...row }: SessionRow): SessionSummary {
  return {
    ...row,
    ...(lastOutcome === null ? {} : { lastOutcome }),
    ...(forkedFrom === null ? {} : { forkedFrom }),
  };
}

/** @returns `undefined` when the text holds no interaction */
export function parseInteraction(body: string): Interaction | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return isInteraction(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** It was checked when it was made; here it matters that the row is whole. */
function isInteraction(value: unknown): value is Interaction {
  return isJsonObject(value) && typeof value["id"] === "string" && isJsonObject(value["request"]);
}

const selectEvents =
  "SELECT seq, at, scope IS NOT NULL AS isRun, body FROM events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?";
const selectChained =
  "SELECT seq, at, scope IS NOT NULL AS isRun, body, hash FROM events WHERE session_id = ? ORDER BY seq";
const selectSessions =
  "SELECT id, title, cwd, model, created_at AS createdAt, updated_at AS updatedAt, turns, last_outcome AS lastOutcome," +
  " forked_from AS forkedFrom FROM sessions ORDER BY updated_at DESC, id DESC";
// The range finds the place in the index, the comparison of the beginning decides: no character of a prefix is special.
const selectIds =
  "SELECT id FROM sessions WHERE id >= ? AND id < ? || char(0x10FFFF) AND instr(id, ?) = 1 ORDER BY id LIMIT ?";
const selectInbox =
  "SELECT session_id AS sessionId, id, opened_at AS openedAt, body FROM interactions" +
  " ORDER BY opened_at, session_id, opened_seq";

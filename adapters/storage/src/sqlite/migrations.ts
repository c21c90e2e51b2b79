import { isJsonObject } from "@capstan/protocol";
import { firstLink, nextLink } from "../chain.ts";
import type { Database } from "./database.ts";

/** One step of the schema, forward only. Runs inside a transaction; an entry of the list is never changed once released. */
export interface Migration {
  readonly about: string;
  apply(database: Database): void;
}

/** The n-th migration leads from version n - 1 to version n (`PRAGMA user_version`). */
export const migrations: readonly Migration[] = [
  {
    about: "journals, session index, inbox",
    apply: (database) => database.exec(schemaV1),
  },
  {
    about: "hash chain, leases, saved states",
    apply: (database) => {
      database.exec(schemaV2);
      linkJournals(database);
    },
  },
  {
    about: "answers on their way, grants",
    apply: (database) => database.exec(schemaV3),
  },
  {
    about: "titles, numbered changes, drafts",
    apply: (database) => database.exec(schemaV4),
  },
  {
    about: "no answers on their way",
    apply: (database) => database.exec(schemaV5),
  },
  {
    about: "sessions of agents",
    apply: (database) => database.exec(schemaV6),
  },
  {
    about: "saved states in parts",
    apply: (database) => database.exec(schemaV7),
  },
  {
    about: "compressed records",
    apply: (database) => database.exec(schemaV8),
  },
];

/**
 * - `events`: the journals. A row holds one record, or a run of neighbouring deltas of one scope (`scope` not null, `body` a
 *   JSON array): a stream is hundreds of tiny records that are deleted soon after. A row is found under its last number.
 * - `sessions`: the index, and the last number given out, which outlives pruned deltas.
 * - `interactions`: what waits for a user.
 */
const schemaV1 = `
CREATE TABLE events (
  session_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  scope TEXT,
  body TEXT NOT NULL,
  PRIMARY KEY (session_id, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX events_by_scope ON events (session_id, scope) WHERE scope IS NOT NULL;

CREATE TABLE sessions (
  id TEXT NOT NULL PRIMARY KEY,
  title TEXT NOT NULL,
  cwd TEXT NOT NULL,
  model TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  turns INTEGER NOT NULL,
  last_outcome TEXT,
  forked_from TEXT,
  last_seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE interactions (
  session_id TEXT NOT NULL,
  id TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  opened_seq INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (session_id, id)
) STRICT, WITHOUT ROWID;
`;

/**
 * - `events.hash`: the record's link in the chain; NULL for runs of deltas, which stand outside it.
 * - `sessions.head`: the last link, so that a journal whose end was cut off is distinguished from a short one.
 * - `leases`: the last lease given out for a session, held or not.
 * - `saved_states`: a copy of a session's state, so that a long journal need not be folded from its beginning.
 */
const schemaV2 = `
ALTER TABLE events ADD COLUMN hash TEXT;

ALTER TABLE sessions ADD COLUMN head TEXT NOT NULL DEFAULT '${firstLink}';

CREATE TABLE leases (
  session_id TEXT NOT NULL PRIMARY KEY,
  generation INTEGER NOT NULL,
  owner TEXT NOT NULL,
  beat_ms REAL NOT NULL,
  claimed_at INTEGER NOT NULL,
  held INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE saved_states (
  session_id TEXT NOT NULL PRIMARY KEY,
  seq INTEGER NOT NULL,
  format TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
`;

/**
 * - `answers`: what was answered from elsewhere and not yet taken by the session's writer; `number` keeps their order.
 * - `grants`: approvals that hold beyond a session.
 */
const schemaV3 = `
CREATE TABLE answers (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL,
  id TEXT NOT NULL UNIQUE,
  body TEXT NOT NULL
) STRICT;

CREATE INDEX answers_by_session ON answers (session_id);

CREATE TABLE grants (
  id TEXT NOT NULL PRIMARY KEY,
  granted_at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/**
 * - `sessions.given_title`: what a user called it; `title` stays what its first words are.
 * - `sessions.change`, `deletions`: changes of index and inbox are numbered through all sessions, each has the number of its last one.
 * - `drafts`: what a user has typed and not sent.
 */
const schemaV4 = `
ALTER TABLE sessions ADD COLUMN given_title TEXT NOT NULL DEFAULT '';

ALTER TABLE sessions ADD COLUMN change INTEGER NOT NULL DEFAULT 0;

WITH ranked AS (SELECT id, row_number() OVER (ORDER BY updated_at, id) AS number FROM sessions)
UPDATE sessions SET change = ranked.number FROM ranked WHERE ranked.id = sessions.id;

CREATE INDEX sessions_by_change ON sessions (change);

CREATE TABLE deletions (
  change INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL
) STRICT;

CREATE TABLE drafts (
  session_id TEXT NOT NULL,
  user TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (session_id, user)
) STRICT, WITHOUT ROWID;
`;

/** Answers go to the process that writes to the session. One that an older process left and nobody took is asked for again. */
const schemaV5 = "DROP TABLE answers;";

/** The session that another works for, and as which agent. No session did before. */
const schemaV6 = `
ALTER TABLE sessions ADD COLUMN spawned_by TEXT;
ALTER TABLE sessions ADD COLUMN agent TEXT;
`;

/** Items of the long lists of a saved state, so many together, found by what they are: a part that was saved is not written again. */
const schemaV7 = `
CREATE TABLE saved_parts (
  session_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (session_id, hash)
) STRICT, WITHOUT ROWID;
`;

/**
 * - `cold_records`: records of sessions that nobody has used for long, many in a block (`cold/block.ts`). `seq` is the last number in it, `first_seq`
 *   the first. What is in a block is not in `events`.
 * - `sessions.cold_through`: the last number there was when all records were compressed; lower than `last_seq`: it was used since.
 */
const schemaV8 = `
CREATE TABLE cold_records (
  session_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  first_seq INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (session_id, seq)
) STRICT, WITHOUT ROWID;

ALTER TABLE sessions ADD COLUMN cold_through INTEGER NOT NULL DEFAULT 0;
`;

/** Gives the records of an older database their links. One row is in memory at a time: a journal may be large. */
function linkJournals(database: Database): void {
  const sessions = database.prepare("SELECT id FROM sessions").all().map(idOf);
  const next = database.prepare(
    "SELECT seq, at, body FROM events WHERE session_id = ? AND scope IS NULL AND seq > ? ORDER BY seq LIMIT 1",
  );
  const link = database.prepare("UPDATE events SET hash = ? WHERE session_id = ? AND seq = ?");
  const setHead = database.prepare("UPDATE sessions SET head = ? WHERE id = ?");
  for (const id of sessions) {
    let head = firstLink;
    for (let row = rowOf(next.get(id, 0)); row !== undefined; row = rowOf(next.get(id, row.seq))) {
      head = nextLink(head, row);
      link.run(head, id, row.seq);
    }
    setHead.run(head, id);
  }
}

function idOf(row: unknown): string {
  return isJsonObject(row) && typeof row["id"] === "string" ? row["id"] : "";
}

interface KeptRow {
  readonly seq: number;
  readonly at: number;
  readonly body: string;
}

function rowOf(row: unknown): KeptRow | undefined {
  return isKeptRow(row) ? row : undefined;
}

function isKeptRow(row: unknown): row is KeptRow {
  if (!isJsonObject(row)) return false;
  return typeof row["seq"] === "number" && typeof row["at"] === "number" && typeof row["body"] === "string";
}

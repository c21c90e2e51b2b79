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
    apply: (database) => database.exec(firstSchema),
  },
];

/**
 * - `events`: the journals. A row holds one record, or a run of neighbouring deltas of one scope (`scope` not null, `body` a
 *   JSON array): a stream is hundreds of tiny records that are deleted soon after. A row is found under its last number.
 * - `sessions`: the index, and the last number given out, which outlives pruned deltas.
 * - `interactions`: what waits for a person.
 */
const firstSchema = `
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

import type { SessionId } from "@capstan/protocol";
import type { InboxChange, IndexChanges } from "../index-projection.ts";
import { nextChange } from "./changes.ts";
import type { Connection } from "./connection.ts";
import { inboxBody } from "./inbox-rows.ts";
import type { RowChanges } from "./journal-rows.ts";

/** What goes into the tables beside the session's own row. */
export interface NewJournal extends RowChanges {
  /** One for each row. */
  readonly links: readonly (string | null)[];
  readonly index: IndexChanges | undefined;
}

/** Stores rows, and what follows from them; the session has its own row already. */
export function storeJournal(connection: Connection, sessionId: SessionId, journal: NewJournal): void {
  for (const scope of journal.superseded) connection.run(deleteScope, sessionId, scope);
  for (const [index, { seq, at, scope, body }] of journal.rows.entries()) {
    if (scope === null) connection.run(insertRecord, sessionId, seq, at, body, journal.links[index] ?? null);
    else connection.run(insertRun, sessionId, seq, at, scope, body);
  }
  if (journal.index === undefined) return;
  storeIndex(connection, sessionId, journal.index);
  for (const change of journal.index.inbox) storeInboxChange(connection, sessionId, change);
}

/** What changes in a session's row. */
export function storeIndex(connection: Connection, sessionId: SessionId, changes: IndexChanges): void {
  connection.run(
    updateIndex,
    changes.cwd ?? null,
    changes.forkedFrom ?? null,
    changes.spawnedBy?.sessionId ?? null,
    changes.spawnedBy?.agent ?? null,
    changes.model ?? null,
    changes.givenTitle ?? null,
    changes.firstWords ?? "",
    changes.turnsStarted,
    changes.lastOutcome === undefined ? 0 : 1,
    changes.lastOutcome ?? null,
    sessionId,
  );
}

export function storeInboxChange(connection: Connection, sessionId: SessionId, change: InboxChange): void {
  if (change.type === "resolved") {
    connection.run(deleteInteraction, sessionId, change.interactionId);
    return;
  }
  const { interaction, at, seq } = change;
  connection.run(insertInteraction, sessionId, interaction.id, at, seq, inboxBody(interaction));
}

const updateIndex =
  "UPDATE sessions SET cwd = coalesce(?, cwd), forked_from = coalesce(?, forked_from)," +
  " spawned_by = coalesce(?, spawned_by), agent = coalesce(?, agent), model = coalesce(?, model), given_title = coalesce(?, given_title), title = CASE title WHEN '' THEN ? ELSE title END, turns = turns + ?, last_outcome = CASE ? WHEN 1 THEN ? ELSE last_outcome END," +
  ` change = ${nextChange} WHERE id = ?`;
/** SQLite would take the primary key by itself, and look through the whole session. */
export const deleteScope = "DELETE FROM events INDEXED BY events_by_scope WHERE session_id = ? AND scope = ?";
const insertRecord = "INSERT INTO events (session_id, seq, at, body, hash) VALUES (?, ?, ?, ?, ?)";
const insertRun = "INSERT INTO events (session_id, seq, at, scope, body) VALUES (?, ?, ?, ?, ?)";
const insertInteraction =
  "INSERT OR REPLACE INTO interactions (session_id, id, opened_at, opened_seq, body) VALUES (?, ?, ?, ?, ?)";
const deleteInteraction = "DELETE FROM interactions WHERE session_id = ? AND id = ?";

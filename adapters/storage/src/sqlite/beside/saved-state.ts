import type { SavedState } from "@capstan/ports";
import type { JsonValue, SessionId } from "@capstan/protocol";
import type { Connection } from "../connection.ts";

/** Keeps the newest copy only; one of records that are not stored is not kept. */
export function storeState(connection: Connection, sessionId: SessionId, { seq, format, state }: SavedState): void {
  const body = JSON.stringify(state);
  connection.write("committed", () => connection.run(replaceState, sessionId, seq, format, body, sessionId, seq));
}

/** `null` whenever the copy is of no use: the journal has everything. */
export function readState(connection: Connection, sessionId: SessionId, format: string): SavedState | null {
  const [row] = connection.all<StateRow>(selectState, sessionId, format);
  const state = row === undefined ? undefined : parse(row.body);
  return row === undefined || state === undefined ? null : { seq: row.seq, format, state };
}

interface StateRow {
  readonly seq: number;
  readonly body: string;
}

function parse(body: string): JsonValue | undefined {
  try {
    const state: JsonValue = JSON.parse(body);
    return state;
  } catch {
    return undefined;
  }
}

const replaceState =
  "INSERT OR REPLACE INTO saved_states (session_id, seq, format, body) SELECT ?, ?, ?, ?" +
  " WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ? AND last_seq >= ?)";
const selectState =
  "SELECT seq, body FROM saved_states JOIN sessions ON id = session_id" +
  " WHERE session_id = ? AND format = ? AND seq <= last_seq";

import type { Draft, SessionId } from "@capstan/protocol";
import { maxDrafts } from "../../limits.ts";
import type { Connection } from "../connection.ts";

/** Keeps a user's draft in a session that is there; `null` forgets it. */
export function storeDraft(connection: Connection, sessionId: SessionId, user: string, draft: Draft | null): void {
  // Without a flush: after a power cut the last seconds of typing may be missing.
  connection.write("committed", () => {
    if (draft === null) {
      connection.run(deleteDraft, sessionId, JSON.stringify(user));
      return;
    }
    connection.run(replaceDraft, sessionId, JSON.stringify(user), draft.at, JSON.stringify(draft.text), sessionId);
    connection.run(forgetOldest, sessionId, sessionId, maxDrafts);
  });
}

/** `null` also for one that cannot be read: it is only a draft. */
export function readDraft(connection: Connection, sessionId: SessionId, user: string): Draft | null {
  const [row] = connection.all<DraftRow>(selectDraft, sessionId, JSON.stringify(user));
  const text = row === undefined ? undefined : textOf(row.body);
  return row === undefined || text === undefined ? null : { text, at: row.at };
}

interface DraftRow {
  readonly at: number;
  readonly body: string;
}

function textOf(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "string" ? parsed : undefined;
  } catch {
    return undefined;
  }
}

// Names and texts as JSON: SQLite's text ends at a NUL.
const replaceDraft =
  "INSERT OR REPLACE INTO drafts (session_id, user, at, body) SELECT ?, ?, ?, ?" +
  " WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ?)";
const deleteDraft = "DELETE FROM drafts WHERE session_id = ? AND user = ?";
const forgetOldest =
  "DELETE FROM drafts WHERE session_id = ? AND user IN" +
  " (SELECT user FROM drafts WHERE session_id = ? ORDER BY at DESC, user LIMIT -1 OFFSET ?)";
const selectDraft = "SELECT at, body FROM drafts WHERE session_id = ? AND user = ?";

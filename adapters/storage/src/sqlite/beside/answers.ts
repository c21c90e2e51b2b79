import type { PostedAnswer } from "@capstan/ports";
import type { Origin, SessionId } from "@capstan/protocol";
import { noteChange } from "../changes.ts";
import type { Connection } from "../connection.ts";

/** An answer that was posted already changes nothing. */
export function storeAnswer(connection: Connection, sessionId: SessionId, posted: PostedAnswer): void {
  const body = JSON.stringify(posted);
  connection.write("flushed", () => {
    connection.run(insertAnswer, sessionId, posted.answerId, body);
    noteChange(connection, sessionId);
  });
}

export function readAnswers(connection: Connection, sessionId: SessionId): readonly PostedAnswer[] {
  return connection.all<{ readonly body: string }>(selectAnswers, sessionId).map(({ body }) => {
    const { origin, ...posted }: StoredAnswer = JSON.parse(body);
    return { ...posted, origin: currentOrigin(origin) };
  });
}

/** An answer as it was stored: an older Capstan called the frontend of an origin `face`. */
type StoredAnswer = Omit<PostedAnswer, "origin"> & { readonly origin: Partial<Origin> & { readonly face?: string } };

function currentOrigin({ face = "", ...origin }: StoredAnswer["origin"]): Origin {
  return { frontend: face, ...origin };
}

export function removeAnswer(connection: Connection, sessionId: SessionId, answerId: string): void {
  connection.write("committed", () => connection.run(deleteAnswer, sessionId, answerId));
}

const insertAnswer = "INSERT OR IGNORE INTO answers (session_id, id, body) VALUES (?, ?, ?)";
const selectAnswers = "SELECT body FROM answers WHERE session_id = ? ORDER BY number";
const deleteAnswer = "DELETE FROM answers WHERE session_id = ? AND id = ?";

import type { StoreChanges } from "@capstan/ports";
import type { SessionId } from "@capstan/protocol";
import { keptDeletions } from "../limits.ts";
import { pendingIn, type StoredSession, summaryOf } from "./stored-session.ts";

/** Which session changed last, by numbers that rise through all sessions. */
export class ChangeLog {
  /** In the order of the changes. One that is not among the sessions any more is gone. */
  readonly #last = new Map<SessionId, number>();
  #end = 0;
  #forgotten = 0;

  /** The session was changed or removed just now. */
  note(sessionId: SessionId): void {
    this.#end += 1;
    this.#last.delete(sessionId);
    this.#last.set(sessionId, this.#end);
  }

  since(cursor: number, sessions: ReadonlyMap<SessionId, StoredSession>): StoreChanges {
    this.#forget(sessions);
    const isWhole = cursor === 0 || cursor > this.#end || cursor < this.#forgotten;
    const changed = [...this.#last].filter(([, number]) => isWhole || number > cursor).map(([id]) => id);
    return {
      cursor: this.#end,
      isWhole,
      sessions: changed.flatMap((id) => {
        const session = sessions.get(id);
        return session === undefined ? [] : [{ summary: summaryOf(session), pending: pendingIn(session) }];
      }),
      deleted: isWhole ? [] : changed.filter((id) => !sessions.has(id)),
    };
  }

  #forget(sessions: ReadonlyMap<SessionId, StoredSession>): void {
    const gone = [...this.#last].filter(([id]) => !sessions.has(id));
    for (const [id, number] of gone.slice(0, Math.max(0, gone.length - keptDeletions))) {
      this.#last.delete(id);
      this.#forgotten = number;
    }
  }
}

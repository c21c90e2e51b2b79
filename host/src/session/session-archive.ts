import type { SessionStore } from "@capstan/ports";
import { AppError, type SessionEvent, type SessionId, type SessionSummary } from "@capstan/protocol";

/** The sessions that exist, for reading. */
export class SessionArchive {
  readonly #store: SessionStore;

  constructor(store: SessionStore) {
    this.#store = store;
  }

  list(): Promise<readonly SessionSummary[]> {
    return this.#store.list();
  }

  /** @throws {AppError} `session.unknown` */
  async read(id: SessionId): Promise<readonly SessionEvent[]> {
    const events = await this.#store.read(id, 0);
    if (events.length === 0) throw unknownSession(id);
    return events;
  }

  /** The full id for an id or a unique beginning of one. @throws {AppError} `session.unknown`, `session.ambiguous` */
  async resolve(idOrPrefix: string): Promise<SessionId> {
    const ids = idOrPrefix === "" ? [] : await this.#store.findIds(idOrPrefix, 2);
    const exact = ids.find((id) => id === idOrPrefix);
    if (exact !== undefined) return exact;
    const [only, another] = ids;
    if (only === undefined) throw unknownSession(idOrPrefix);
    if (another !== undefined) {
      throw new AppError("session.ambiguous", `more than one session begins with ${JSON.stringify(idOrPrefix)}`, {
        hint: "Give more characters of the id.",
      });
    }
    return only;
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

function unknownSession(id: string): AppError {
  return new AppError("session.unknown", `no session begins with ${JSON.stringify(id)}`, {
    hint: "`capstan sessions list` shows the ids.",
  });
}

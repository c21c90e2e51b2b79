import { AppError, type SessionId, toSessionId } from "@capstan/protocol";
import { maxOpenSessions } from "../limits.ts";
import type { AcpSession } from "../session/acp-session.ts";

/** The sessions that a client has open. */
export class HeldSessions {
  readonly #held = new Map<SessionId, AcpSession>();

  /** @throws AppError `door.rate` */
  requireRoom(): void {
    if (this.#held.size < maxOpenSessions) return;
    throw new AppError("door.rate", `at most ${maxOpenSessions} sessions can be open in one connection`, {
      hint: "`session/close` gives one back.",
    });
  }

  add(session: AcpSession): void {
    this.#held.set(session.id, session);
  }

  /** @throws AppError `session.unknown` for a session that this client has not opened */
  get(id: string): AcpSession {
    const session = this.find(id);
    if (session !== undefined) return session;
    throw new AppError("session.unknown", `no session ${JSON.stringify(id)} is open in this connection`, {
      hint: "Open it with `session/load`, `session/resume` or `session/new`.",
    });
  }

  find(id: string): AcpSession | undefined {
    return this.#held.get(toSessionId(id));
  }

  /** It is closed, or about to be. */
  remove(session: AcpSession): void {
    if (this.#held.get(session.id) === session) this.#held.delete(session.id);
  }

  async closeAll(): Promise<void> {
    const held = [...this.#held.values()];
    this.#held.clear();
    await Promise.allSettled(held.map((session) => session.detach()));
  }
}

import {
  AppError,
  type ClientIdentity,
  type EngineClient,
  type SessionClient,
  type SessionId,
} from "@capstan/protocol";
import { maxHeldSessions } from "../limits.ts";

interface Held {
  readonly session: SessionClient;
  /** Calls that are under way in it. */
  users: number;
}

/** The sessions that this process drives for its client. They stay open between calls: what runs in the background continues, and questions keep their place. */
export class HeldSessions {
  readonly #client: EngineClient;
  readonly #identity: ClientIdentity;
  readonly #held = new Map<SessionId, Promise<Held>>();

  constructor(client: EngineClient, identity: ClientIdentity) {
    this.#client = client;
    this.#identity = identity;
  }

  /** Begins a session, and leaves it as `work` does. */
  async begin<Result>(title: string | undefined, work: (session: SessionClient) => Promise<Result>): Promise<Result> {
    const target = { type: "new", ...(title === undefined ? {} : { title }) } as const;
    const session = await this.#client.open(target, { identity: this.#identity, purpose: "drive" });
    const held = { session, users: 0 };
    this.#held.set(session.id, Promise.resolve(held));
    return await this.#use(held, work);
  }

  /**
   * Works in a session that is held, or opens it; what an earlier process left open there is carried on with.
   * @throws AppError `session.*`, or what the session lacks to carry on
   */
  async in<Result>(id: SessionId, work: (session: SessionClient) => Promise<Result>): Promise<Result> {
    const opening = this.#held.get(id) ?? this.#open(id);
    this.#held.set(id, opening);
    opening.catch(() => this.#held.delete(id));
    return await this.#use(await opening, work);
  }

  /** The session, where it is held. */
  async find(id: SessionId): Promise<SessionClient | undefined> {
    return (await this.#held.get(id))?.session;
  }

  async close(): Promise<void> {
    const all = await Promise.allSettled(this.#held.values());
    this.#held.clear();
    for (const one of all) if (one.status === "fulfilled") await one.value.session.close();
  }

  async #open(id: SessionId): Promise<Held> {
    const session = await this.#client.open({ type: "resume", id }, { identity: this.#identity, purpose: "drive" });
    try {
      const owner = await session.owner();
      if (owner.type === "none")
        throw new AppError("session.busy", owner.reason, { hint: "Wait until that process ends." });
      const { lacks } = session.recovery;
      if (lacks !== undefined)
        throw new AppError(lacks.code, lacks.reason, lacks.hint === undefined ? {} : { hint: lacks.hint });
      return { session, users: 0 };
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  async #use<Result>(held: Held, work: (session: SessionClient) => Promise<Result>): Promise<Result> {
    const { session } = held;
    held.users += 1;
    try {
      await this.#makeRoom();
      return await work(session);
    } finally {
      held.users -= 1;
      // The one that was used last is given back last.
      const entry = this.#held.get(session.id);
      if (entry !== undefined) {
        this.#held.delete(session.id);
        this.#held.set(session.id, entry);
      }
    }
  }

  async #makeRoom(): Promise<void> {
    for (const [id, opening] of this.#held) {
      if (this.#held.size <= maxHeldSessions) return;
      const held = await opening;
      if (held.users > 0) continue;
      this.#held.delete(id);
      await held.session.close();
    }
  }
}

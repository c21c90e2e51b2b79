import {
  AppError,
  type ClientIdentity,
  type EngineClient,
  includesRole,
  type OpenOptions,
  type SessionClient,
  type SessionId,
  type SessionTarget,
} from "@capstan/protocol";
import { maxOpenSessions } from "../limits.ts";
import type { InSession, OpenParams } from "../operations/operation-types.ts";

/** A session that a connection holds open. */
export interface HeldSession {
  /** Names it in requests. */
  readonly name: string;
  readonly client: SessionClient;
}

/** The sessions that a connection has opened. */
export class OpenSessions {
  readonly #engine: EngineClient;
  readonly #held = new Map<string, HeldSession>();
  /** Openings under way that a request made by itself. */
  readonly #opening = new Map<SessionId, Promise<HeldSession>>();
  #opened = 0;

  constructor(engine: EngineClient) {
    this.#engine = engine;
  }

  async open(
    target: SessionTarget,
    identity: ClientIdentity,
    { purpose, resume }: Omit<OpenParams, "identity">,
  ): Promise<HeldSession> {
    if (this.#held.size >= maxOpenSessions)
      throw new AppError("door.rate", `at most ${maxOpenSessions} sessions can be open in one connection`, {
        hint: "`sessions.close` gives one back.",
      });
    const options: OpenOptions = {
      identity,
      purpose: purpose ?? (includesRole(identity.role, "ask") ? "drive" : "watch"),
      ...(resume === undefined ? {} : { resume }),
    };
    const client = await this.#engine.open(target, options);
    this.#opened += 1;
    const held = { name: String(this.#opened), client };
    this.#held.set(held.name, held);
    return held;
  }

  /**
   * The open session that a request means. One that is not open is opened, and what an earlier process left there waits.
   * @throws AppError `session.unknown`, `usage.invalid` for an opening that there is not
   */
  async find({ sessionId, client }: InSession, identity: ClientIdentity): Promise<HeldSession> {
    if (client !== undefined) return this.#named(client, sessionId);
    for (const held of this.#held.values()) if (held.client.id === sessionId) return held;
    const opening =
      this.#opening.get(sessionId) ?? this.open({ type: "resume", id: sessionId }, identity, { resume: "wait" });
    this.#opening.set(sessionId, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(sessionId);
    }
  }

  all(): readonly HeldSession[] {
    return [...this.#held.values()];
  }

  /** What a request that closes means; `undefined`: it is closed already. */
  take({ sessionId, client }: InSession): HeldSession | undefined {
    const held = this.all().find((each) =>
      client === undefined ? each.client.id === sessionId : each.name === client,
    );
    if (held !== undefined) this.#held.delete(held.name);
    return held;
  }

  /** Gives everything back; what fails there is nobody's wait any more. */
  async closeAll(): Promise<void> {
    await Promise.allSettled(this.#opening.values());
    const held = this.all();
    this.#held.clear();
    await Promise.allSettled(held.map(({ client }) => client.close()));
  }

  #named(name: string, sessionId: SessionId): HeldSession {
    const held = this.#held.get(name);
    if (held !== undefined && held.client.id === sessionId) return held;
    throw new AppError(
      "usage.invalid",
      `this connection has no opening ${JSON.stringify(name)} of the session ${sessionId}`,
      {
        hint: "`client` comes from the answer to `sessions.open`.",
      },
    );
  }
}

import type { Clock, SessionStore } from "@capstan/ports";
import {
  AppError,
  type ClientIdentity,
  type EngineClient,
  type SessionClient,
  type SessionId,
  type SessionTarget,
  type TurnId,
} from "@capstan/protocol";
import { clientWith } from "./door/client-with.ts";
import { maxEntries } from "./limits.ts";
import { type FindFiles, LocalClient } from "./local-client.ts";
import { oneSessionEngine } from "./door/one-session-engine.ts";
import { LateOffer, type SessionSockets } from "./session-sockets.ts";
import { type OpenedSession, SharedSession } from "./shared-session.ts";

/** How a hub becomes the writer of sessions. */
export interface SessionOpener {
  /**
   * Makes this process the session's writer. `recover`: what an earlier process left open is carried on with at once; without it the
   * session opens also where something is lacking to do so.
   * @throws AppError `session.busy` while another process writes to it
   */
  openSession(
    target: SessionTarget,
    options: { readonly identity: ClientIdentity; readonly recover: boolean },
  ): Promise<OpenedSession>;
  /** What this process would lack to carry on with a session; `null`: nothing. @throws AppError what keeps it from opening it at all */
  lack(id: SessionId): Promise<AppError | null>;
  newTurnId(): TurnId;
  close(): Promise<void>;
}

interface OpenSessionsOptions {
  readonly opener: SessionOpener;
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly findFiles: FindFiles;
  /** How other processes reach the sessions of this one; `null`: they do not. */
  readonly sockets: SessionSockets | null;
  /** What a program has at the door for whoever joins from outside. */
  readonly guard?: (engine: EngineClient) => EngineClient;
  /** Receives mistakes that did not stop anything. */
  report(error: unknown): void;
}

/** The sessions that this process writes to, each shared by all its clients here. */
export class OpenSessions {
  readonly #options: OpenSessionsOptions;
  /** What other processes read through a session's socket. */
  readonly #engine: EngineClient;
  readonly #open = new Map<SessionId, Promise<SharedSession>>();
  /** New ones, whose id nobody knows yet. */
  readonly #beginning = new Set<Promise<SharedSession>>();
  #isClosed = false;

  constructor(options: OpenSessionsOptions, engine: EngineClient) {
    this.#options = options;
    this.#engine = engine;
  }

  has(id: SessionId): boolean {
    return this.#open.has(id);
  }

  /** The session where it is open. */
  async get(id: SessionId): Promise<SharedSession | undefined> {
    return await this.#open.get(id)?.catch(() => undefined);
  }

  async begin(target: Exclude<SessionTarget, { type: "resume" }>, identity: ClientIdentity): Promise<SessionClient> {
    const beginning = this.#write(target, identity, true);
    this.#beginning.add(beginning);
    try {
      const session = await beginning;
      if (session.closing === undefined) this.#open.set(session.id, beginning);
      const client = LocalClient.enter(session, identity, this.#options);
      if (client === null) throw engineClosed();
      return client;
    } finally {
      this.#beginning.delete(beginning);
    }
  }

  /** A client of the session where it is open here; one that is just being closed is waited for. */
  async enter(id: SessionId, identity: ClientIdentity): Promise<SessionClient | null> {
    for (let tries = 0; tries < maxEntries; tries += 1) {
      const session = await this.get(id);
      if (session === undefined) return null;
      const client = LocalClient.enter(session, identity, this.#options);
      if (client !== null) return client;
      await session.closing?.catch(() => undefined);
    }
    return null;
  }

  /** Makes this process the session's writer. Two who open the same session at once share it. */
  async drive(id: SessionId, identity: ClientIdentity, recover: boolean): Promise<SessionClient> {
    for (let tries = 0; tries < maxEntries; tries += 1) {
      this.#requireOpen();
      const opening = this.#open.get(id) ?? this.#write({ type: "resume", id }, identity, recover);
      this.#open.set(id, opening);
      const session = await opening.catch((error: unknown) => {
        if (this.#open.get(id) === opening) this.#open.delete(id);
        throw error;
      });
      const client = LocalClient.enter(session, identity, this.#options);
      if (client !== null) return client;
      await session.closing?.catch(() => undefined);
    }
    throw new AppError("session.busy", `session ${id} is being closed`);
  }

  /** Closes all of them. */
  async close(reason: string): Promise<void> {
    this.#isClosed = true;
    for (const opened of [...this.#beginning, ...this.#open.values()]) {
      const session = await opened.catch(() => undefined);
      await session?.close(reason);
    }
  }

  async #write(target: SessionTarget, identity: ClientIdentity, recover: boolean): Promise<SharedSession> {
    const opened = await this.#options.opener.openSession(target, { identity, recover });
    let offer: LateOffer | undefined;
    const session = new SharedSession(opened, this.#options, {
      hide: async () => offer?.close(),
      gone: (id) => this.#open.delete(id),
    });
    if (this.#options.sockets !== null)
      offer = new LateOffer(this.#options.clock, () => this.#offer(session.id, identity));
    return session;
  }

  /** Others can still read along from the store where the socket cannot be made. */
  async #offer(id: SessionId, owner: ClientIdentity): Promise<{ close(): Promise<void> } | null> {
    const { sockets, guard = (engine) => engine } = this.#options;
    if (sockets === null) return null;
    const shared = oneSessionEngine(this.#engine, id, (identity) => this.#enterFromOutside(id, identity));
    try {
      return await sockets.listen(id, guard(shared), owner);
    } catch (error) {
      this.#options.report(error);
      return null;
    }
  }

  /** Whoever leaves does not wait for the closing: the connection it leaves through is closed as a part of it. */
  async #enterFromOutside(id: SessionId, identity: ClientIdentity): Promise<SessionClient | null> {
    const client = await this.enter(id, identity);
    if (client === null) return null;
    const leave = async (): Promise<void> => {
      client.close().catch((error: unknown) => this.#options.report(error));
    };
    return clientWith(client, { close: leave });
  }

  #requireOpen(): void {
    if (this.#isClosed) throw engineClosed();
  }
}

export function engineClosed(): AppError {
  return new AppError("session.unknown", "the engine was closed");
}

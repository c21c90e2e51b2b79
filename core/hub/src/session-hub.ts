import type { SessionState } from "@capstan/session";
import type { Clock, LeaseOwner, SessionStore } from "@capstan/ports";
import {
  AppError,
  type Check,
  type FileProblem,
  type ClientIdentity,
  type ConfigEntry,
  type DoorCode,
  type EngineClient,
  type FactsClient,
  type GrantsClient,
  includesRole,
  type InteractionsClient,
  type ModelEntry,
  isDoorCode,
  type OpenOptions,
  type SessionClient,
  type SessionId,
  type SessionsClient,
  type SessionTarget,
  type TrustClient,
  type Skill,
  type TurnId,
} from "@capstan/protocol";
import type { Redactor } from "@capstan/runtime";
import type { Link } from "./followed-frames.ts";
import { FollowingClient, type LostOwner } from "./following-client.ts";
import { clientWith } from "./door/client-with.ts";
import type { FindFiles } from "./local-client.ts";
import {
  looksForOthers,
  maxOwnerLooks,
  maxReadyMs,
  maxWatcherLooks,
  ownerLookIntervalMs,
  readyLookIntervalMs,
} from "./limits.ts";
import { engineClosed, OpenSessions, type SessionOpener } from "./open-sessions.ts";
import type { SessionSockets } from "./session-sockets.ts";
import { StoredClient } from "./stored-client.ts";

/** The journals of all sessions, as far as a hub reads them. */
export interface SessionJournals {
  /** Who writes to a session; `null`: nobody, or a process that is gone. */
  writer(id: SessionId): Promise<LeaseOwner | null>;
  /** @throws AppError `session.unknown` */
  fold(id: SessionId): Promise<{ readonly seq: number; readonly state: SessionState }>;
}

export interface HubOptions {
  readonly opener: SessionOpener;
  readonly archive: SessionJournals;
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly redact: Redactor;
  readonly sessions: SessionsClient;
  readonly interactions: InteractionsClient;
  readonly grants: GrantsClient;
  readonly facts: FactsClient;
  readonly trust: TrustClient;
  readonly findFiles: FindFiles;
  models(): Promise<readonly ModelEntry[]>;
  skills(): Promise<readonly Skill[]>;
  config(): Promise<readonly ConfigEntry[]>;
  doctor(): Promise<readonly Check[]>;
  problems(id: SessionId): Promise<readonly FileProblem[] | null>;
  /** How other processes reach the sessions of this one; `null`: they do not. */
  readonly sockets: SessionSockets | null;
  /** What a program has at the door for whoever joins from outside; they come in as they are when left out. */
  readonly guard?: (engine: EngineClient) => EngineClient;
  /** Receives mistakes that did not stop anything. */
  report(error: unknown): void;
  onClose(): void;
}

/**
 * Everything that is open in this process: many clients of one session share it, a session that another process writes to is joined
 * through that process, and one that nobody writes to is opened here or read from the store.
 */
export class SessionHub implements EngineClient {
  readonly sessions: SessionsClient;
  readonly interactions: InteractionsClient;
  readonly grants: GrantsClient;
  readonly facts: FactsClient;
  readonly trust: TrustClient;
  readonly #options: HubOptions;
  readonly #open: OpenSessions;
  readonly #following = new Set<FollowingClient>();
  #isClosed = false;

  constructor(options: HubOptions) {
    this.#options = options;
    this.#open = new OpenSessions(options, this);
    this.sessions = options.sessions;
    this.interactions = options.interactions;
    this.grants = options.grants;
    this.facts = options.facts;
    this.trust = options.trust;
  }

  async open(target: SessionTarget, options: OpenOptions): Promise<SessionClient> {
    if (this.#isClosed) throw engineClosed();
    if (target.type !== "resume") return await this.#open.begin(target, options.identity);
    const mayResume = includesRole(options.identity.role, "drive");
    const recover = mayResume && (options.resume ?? "at-once") === "at-once";
    const writer = await this.#findReady(target.id, options, recover);
    const first = writer ?? (await this.#readStored(target.id, options, null));
    if (first.writer === "here") return first.client;
    // Its owner carries on with what waits there, or its recovery report says what it lacks.
    if (recover && options.purpose === "drive" && first.client.recovery.waits)
      await first.client.submit({ type: "resume" });
    const client: FollowingClient = new FollowingClient(first, {
      find: (lost) => this.#findNext(target.id, options, lost),
      newId: () => this.newTurnId(),
      onClose: () => this.#following.delete(client),
    });
    this.#following.add(client);
    if (!this.#isClosed) return client;
    await client.close();
    throw engineClosed();
  }

  models(): Promise<readonly ModelEntry[]> {
    return this.#options.models();
  }

  skills(): Promise<readonly Skill[]> {
    return this.#options.skills();
  }

  config(): Promise<readonly ConfigEntry[]> {
    return this.#options.config();
  }

  doctor(): Promise<readonly Check[]> {
    return this.#options.doctor();
  }

  problems(id: SessionId): Promise<readonly FileProblem[] | null> {
    return this.#options.problems(id);
  }

  newTurnId(): TurnId {
    return this.#options.opener.newTurnId();
  }

  /** Whether this process writes to it. */
  isOpen(id: SessionId): boolean {
    return this.#open.has(id);
  }

  /** A client of whoever writes to the session, this process or another; `null` where nobody does who can be reached. */
  async openWhereWritten(id: SessionId, identity: ClientIdentity): Promise<SessionClient | null> {
    return (await this.#open.enter(id, identity)) ?? (await this.#join(id, identity));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#options.onClose();
    for (const client of this.#following) await client.close();
    await this.#open.close("the engine was closed");
    await this.#options.opener.close();
  }

  /** A process that has just become the writer is about to be reachable, and one that closes is about to be gone: both are looked for again. */
  async #findReady(id: SessionId, options: OpenOptions, recover: boolean): Promise<Link | null> {
    const { clock } = this.#options;
    const since = clock.elapsed();
    for (;;) {
      const found = await this.#findWriter(id, options, recover);
      if (found !== null || clock.elapsed() - since > maxReadyMs || !(await this.#isChanging(id, options)))
        return found;
      await this.#pause(readyLookIntervalMs);
    }
  }

  async #isChanging(id: SessionId, { purpose, identity }: OpenOptions): Promise<boolean> {
    const { sockets, archive } = this.#options;
    if (this.#isClosed) return false;
    if ((await archive.writer(id)) !== null) return sockets !== null;
    // It has just gone, and this process may follow it.
    return purpose === "drive" && includesRole(identity.role, "ask");
  }

  /** Whoever has the session now: this process, which may become it, or another one; `null`: nobody who can be reached. */
  async #findWriter(id: SessionId, { identity, purpose }: OpenOptions, recover: boolean): Promise<Link | null> {
    const entered = await this.#open.enter(id, identity);
    if (entered !== null) {
      if (recover && purpose === "drive") await (await this.#open.get(id))?.resume();
      return { client: entered, writer: "here" };
    }
    if (purpose === "drive" && includesRole(identity.role, "ask")) {
      try {
        return { client: await this.#open.drive(id, identity, recover), writer: "here" };
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "session.busy") throw error;
      }
    }
    const joined = await this.#join(id, identity);
    return joined === null ? null : { client: joined, writer: "process" };
  }

  /** After an owner was lost: the next one shows itself soon, or this process becomes it. */
  async #findNext(id: SessionId, options: OpenOptions, lost: LostOwner): Promise<Link> {
    const drives = options.purpose === "drive";
    let problem = drives ? await this.#lack(id) : null;
    for (
      let look = 0;
      look < (drives ? maxOwnerLooks : maxWatcherLooks) && !this.#isClosed && !lost.isOver();
      look += 1
    ) {
      // Somebody else may have what is lacking here.
      const isOthers = problem !== null && look % looksForOthers !== looksForOthers - 1;
      const purpose = drives && !isOthers ? "drive" : "watch";
      try {
        const found = await this.#findWriter(id, { ...options, purpose }, false);
        if (found?.writer === "here") await this.#carryOn(id, lost.awaited);
        if (found !== null) return found;
      } catch (error) {
        problem = expected(error);
      }
      await this.#pause(ownerLookIntervalMs);
    }
    return await this.#readStored(id, options, problem);
  }

  /** What this process would lack as the owner of a session. */
  async #lack(id: SessionId): Promise<AppError | null> {
    try {
      return await this.#options.opener.lack(id);
    } catch (error) {
      return expected(error);
    }
  }

  /** What waits for a resume continues at once where somebody here was waiting for just this. */
  async #carryOn(id: SessionId, awaited: readonly TurnId[]): Promise<void> {
    const session = await this.#open.get(id);
    if (session?.waits === true && awaited.some((inputId) => session.runtime.concerns(inputId))) await session.resume();
  }

  /** @throws AppError `door.*`: the process that writes to the session does not let this client in */
  async #join(id: SessionId, identity: ClientIdentity): Promise<SessionClient | null> {
    const { sockets, archive } = this.#options;
    if (sockets === null || (await archive.writer(id)) === null) return null;
    try {
      const engine = await sockets.connect(id, identity);
      try {
        const client = await engine.open({ type: "resume", id }, { identity, purpose: "watch" });
        return clientWith(client, {
          async close() {
            await client.close();
            await engine.close();
          },
        });
      } catch (error) {
        await engine.close();
        throw error;
      }
    } catch (error) {
      if (isTurnedAway(error)) throw error;
      return null;
    }
  }

  /** @throws AppError `session.unknown` */
  async #readStored(id: SessionId, { purpose, identity }: OpenOptions, problem: AppError | null): Promise<Link> {
    const { archive, store, clock, redact, findFiles, sockets } = this.#options;
    const { seq, state } = await archive.fold(id);
    const writer = await archive.writer(id);
    const situation =
      writer === null
        ? "no process writes to this session now"
        : `process ${writer.processId} (${writer.frontend}) writes to this session and cannot be reached`;
    const reason = problem === null ? situation : `${situation}: ${problem.message}`;
    const isOver = async (): Promise<boolean> => {
      if ((await archive.writer(id)) === null) return purpose === "drive" && writer !== null;
      return sockets !== null && (await sockets.answers(id));
    };
    const parts = { store, clock, redact, findFiles, isOver };
    const refusal = {
      code: problem !== null && isTurnedAway(problem) ? problem.code : "session.busy",
      reason,
    } as const;
    return { client: new StoredClient({ id, seq, state }, identity, parts, refusal), writer: "nobody" };
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#options.clock.after(ms, () => resolve());
    });
  }
}

type TurnedAway = AppError & { readonly code: DoorCode };

/** The session's owner refuses whoever asks, or for now. */
function isTurnedAway(error: unknown): error is TurnedAway {
  return error instanceof AppError && isDoorCode(error.code);
}

/** Whoever follows a session lives with it; a session that is gone, and a mistake of ours, end it. */
function expected(error: unknown): AppError {
  if (error instanceof AppError && error.code !== "session.unknown") return error;
  throw error;
}

import type { RuntimePorts } from "@capstan/runtime";
import { type OpenedJournal, SessionRuntime } from "@capstan/runtime";
import {
  AppError,
  canonicalJson,
  type EngineClient,
  type JournalRecord,
  type Origin,
  type SessionClient,
  type SessionConfig,
  type SessionEvent,
  type SessionId,
  type SessionSummary,
  type SessionTarget,
  toSessionId,
  toTurnId,
  type TurnId,
  unreachable,
  type Workspace,
} from "@capstan/protocol";

import { SessionArchive } from "./session-archive.ts";

export interface LocalEngineOptions {
  readonly ports: RuntimePorts;
  readonly workspace: Workspace;
  readonly config: SessionConfig;
  readonly version: string;
}

type SessionStarted = Extract<JournalRecord, { type: "session-started" }>;

/** The engine in this process. */
export class LocalEngine implements EngineClient {
  readonly #options: LocalEngineOptions;
  readonly #archive: SessionArchive;
  readonly #open = new Set<SessionRuntime>();

  constructor(options: LocalEngineOptions) {
    this.#options = options;
    this.#archive = new SessionArchive(options.ports.store);
  }

  async open(target: SessionTarget, origin: Origin): Promise<SessionClient> {
    const runtime = new SessionRuntime(await this.#journal(target, origin), origin, this.#options.ports);
    this.#open.add(runtime);
    await runtime.recover();
    return runtime;
  }

  listSessions(): Promise<readonly SessionSummary[]> {
    return this.#archive.list();
  }

  readSession(id: SessionId): Promise<readonly SessionEvent[]> {
    return this.#archive.read(id);
  }

  resolveSession(idOrPrefix: string): Promise<SessionId> {
    return this.#archive.resolve(idOrPrefix);
  }

  newTurnId(): TurnId {
    return toTurnId(this.#options.ports.chance.id());
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((runtime) => runtime.close()));
    this.#open.clear();
    await this.#options.ports.store.close();
  }

  #journal(target: SessionTarget, origin: Origin): Promise<OpenedJournal> {
    switch (target.type) {
      case "new":
        return this.#newJournal(target.id, origin);
      case "resume":
        return this.#resumedJournal(target.id);
      case "fork":
        return this.#forkedJournal(target.id, origin);
      default:
        return unreachable(target);
    }
  }

  async #newJournal(id: SessionId | undefined, origin: Origin): Promise<OpenedJournal> {
    const { ports, config } = this.#options;
    if (id !== undefined && (await ports.store.read(id, 0)).length > 0) {
      throw new AppError("usage.invalid", `the session ${id} exists already`, {
        hint: "Use --resume to go on with it.",
      });
    }
    const sessionId = id ?? toSessionId(ports.chance.id());
    return {
      sessionId,
      events: [],
      opening: [this.#started(sessionId, origin), { type: "session-configured", config }],
    };
  }

  async #resumedJournal(sessionId: SessionId): Promise<OpenedJournal> {
    const events = await this.readSession(sessionId);
    return { sessionId, events, opening: this.#configured(events) };
  }

  /**
   * A fork begins with its source's records under its own id; what was in flight there is settled like after a crash. They are
   * stored at once, with the time of the last of them: whoever watches the fork hears only what happens in it.
   */
  async #forkedJournal(sourceId: SessionId, origin: Origin): Promise<OpenedJournal> {
    const { store, chance, clock } = this.#options.ports;
    const source = await this.readSession(sourceId);
    const sessionId = toSessionId(chance.id());
    const { seq = 0, at = clock.now() } = source.at(-1) ?? {};
    const started = this.#started(sessionId, origin, { sessionId: sourceId, seq });
    const inherited = source.map((event) => event.record).filter((record) => record.type !== "session-started");
    const events = await store.append(sessionId, { after: 0, at, records: [started, ...inherited], flush: true });
    return { sessionId, events, opening: this.#configured(events) };
  }

  #started(sessionId: SessionId, origin: Origin, forkedFrom?: SessionStarted["forkedFrom"]): SessionStarted {
    const { workspace, version } = this.#options;
    const started = { type: "session-started", sessionId, workspace, origin, version } as const;
    return forkedFrom === undefined ? started : { ...started, forkedFrom };
  }

  /** The settings, where they are not those the journal ends with. */
  #configured(events: readonly SessionEvent[]): readonly JournalRecord[] {
    const { config } = this.#options;
    const last = events.findLast((event) => event.record.type === "session-configured")?.record;
    const isSame = last?.type === "session-configured" && canonicalJson(last.config) === canonicalJson(config);
    return isSame ? [] : [{ type: "session-configured", config }];
  }
}

import type { RuntimePorts } from "@capstan/runtime";
import { SessionRuntime } from "@capstan/runtime";
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
  type Workspace,
} from "@capstan/protocol";

import { SessionArchive } from "./session-archive.ts";

export interface LocalEngineOptions {
  readonly ports: RuntimePorts;
  readonly workspace: Workspace;
  readonly config: SessionConfig;
  readonly version: string;
}

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

  async #journal(target: SessionTarget, origin: Origin): Promise<ConstructorParameters<typeof SessionRuntime>[0]> {
    const { config } = this.#options;
    if (target.type === "resume") {
      const events = await this.readSession(target.id);
      return {
        sessionId: target.id,
        events,
        opening: sameConfig(events, config) ? [] : [{ type: "session-configured", config }],
      };
    }
    const sessionId =
      target.type === "new" && target.id !== undefined ? target.id : toSessionId(this.#options.ports.chance.id());
    if (
      target.type === "new" &&
      target.id !== undefined &&
      (await this.#options.ports.store.read(target.id, 0)).length > 0
    ) {
      throw new AppError("usage.invalid", `the session ${target.id} exists already`, {
        hint: "Use --resume to go on with it.",
      });
    }
    const source = target.type === "fork" ? await this.readSession(target.id) : [];
    return { sessionId, events: [], opening: this.#opening(sessionId, origin, source) };
  }

  /** A fork begins with its source's records under its own id; what was in flight there is settled like after a crash. */
  #opening(sessionId: SessionId, origin: Origin, source: readonly SessionEvent[]): readonly JournalRecord[] {
    const { workspace, config, version } = this.#options;
    const last = source.at(-1);
    const first = source[0]?.record;
    const forkedFrom =
      first?.type === "session-started" && last !== undefined
        ? { forkedFrom: { sessionId: first.sessionId, seq: last.seq } }
        : {};
    const started: JournalRecord = { type: "session-started", sessionId, workspace, origin, version, ...forkedFrom };
    const inherited = source.map((event) => event.record).filter((record) => record.type !== "session-started");
    return [
      started,
      ...inherited,
      ...(sameConfig(source, config) ? [] : [{ type: "session-configured" as const, config }]),
    ];
  }
}

function sameConfig(events: readonly SessionEvent[], config: SessionConfig): boolean {
  const last = events.findLast((event) => event.record.type === "session-configured")?.record;
  return last?.type === "session-configured" && canonicalJson(last.config) === canonicalJson(config);
}

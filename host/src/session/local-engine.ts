import { evolve, initialState, openTurnOf, type SessionState } from "@capstan/engine";
import type { Grants } from "@capstan/ports";
import type { RuntimePorts } from "@capstan/runtime";
import { type OpenedJournal, PostedAnswers, SessionRuntime } from "@capstan/runtime";
import {
  AppError,
  canonicalJson,
  type EngineClient,
  type JournalRecord,
  type NoticeRecord,
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
import { copiedRecords } from "./copied-records.ts";
import { SessionLease } from "./session-lease.ts";
import { SessionArchive } from "./session-archive.ts";

/** What holds beyond a session is kept beside the journals, and is revoked there. */
async function revokedGrants({ grants }: SessionState, kept: Grants): Promise<readonly JournalRecord[]> {
  const lasting = grants.filter(({ scope }) => scope === "always");
  if (lasting.length === 0) return [];
  const known = new Set((await kept.list()).map(({ id }) => id));
  return lasting.flatMap(({ id }) => (known.has(id) ? [] : [{ type: "grant-revoked", grantId: id } as const]));
}

export interface LocalEngineOptions {
  readonly ports: RuntimePorts;
  readonly workspace: Workspace;
  /** `null`: every session keeps its own, and none can be begun. */
  readonly config: SessionConfig | null;
  readonly version: string;
  /**
   * A turn that a resumed session has open: keeps the mode it has; keeps it only if that is plan mode, which ends by a decision
   * and not by being left out; or gets that of `config`. `change` when left out.
   */
  readonly openTurnMode?: OpenTurnMode;
  /** Told in the first session that is opened to work in. */
  readonly notices?: readonly Omit<NoticeRecord, "type">[];
}

export type OpenTurnMode = "keep" | "keep-plan" | "change";

/** How a session is opened. */
interface Opening {
  readonly notices: readonly NoticeRecord[];
  readonly settle: (runtime: SessionRuntime, posted: PostedAnswers) => Promise<void>;
}

type SessionStarted = Extract<JournalRecord, { type: "session-started" }>;

/** The engine in this process. */
export class LocalEngine implements EngineClient {
  readonly #options: LocalEngineOptions;
  readonly #archive: SessionArchive;
  readonly #open = new Set<SessionRuntime>();
  #untold: readonly NoticeRecord[];

  constructor(options: LocalEngineOptions) {
    this.#options = options;
    this.#untold = (options.notices ?? []).map((notice) => ({ type: "notice", ...notice }));
    this.#archive = new SessionArchive(options.ports.store);
  }

  async open(target: SessionTarget, origin: Origin): Promise<SessionClient> {
    const notices = this.#untold;
    this.#untold = [];
    return this.#openWith(target, origin, {
      notices,
      async settle(runtime, posted) {
        // First what others have answered meanwhile: nobody is asked again, and nothing counts as unanswered.
        if (target.type === "resume") await posted.take();
        await runtime.recover();
      },
    });
  }

  async #openWith(target: SessionTarget, origin: Origin, { notices, settle }: Opening): Promise<SessionClient> {
    const { ports } = this.#options;
    const sessionId = target.type === "resume" ? target.id : this.#newId(target);
    if (target.type === "new") await this.#refuseExisting(target.id);
    const id = ports.chance.id();
    const lease = await SessionLease.claim({
      store: ports.store,
      clock: ports.clock,
      sessionId,
      id,
      face: origin.face,
    });
    try {
      const journal = await this.#journal(target, sessionId, lease, origin);
      const opening = [...journal.opening, ...notices];
      const runtime = new SessionRuntime({ ...journal, opening, isQuiet: true }, origin, ports);
      const posted = new PostedAnswers(runtime, ports);
      lease.onLost((fault) => runtime.stop(fault));
      lease.onRelease(() => posted.stop());
      this.#open.add(runtime);
      await settle(runtime, posted);
      posted.watch();
      return runtime;
    } catch (error) {
      await lease.release().catch(() => undefined);
      throw error;
    }
  }

  /**
   * Opens a session to change it as a whole: what an earlier process left is settled as far as it can be proved, and not gone on
   * with.
   * @throws {AppError} `session.unknown`, `session.busy`, `storage.*`
   */
  async openAtRest(id: SessionId, origin: Origin): Promise<SessionClient> {
    return this.#openWith({ type: "resume", id }, origin, { notices: [], settle: (runtime) => runtime.rest() });
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

  #newId(target: Exclude<SessionTarget, { type: "resume" }>): SessionId {
    const chosen = target.type === "new" ? target.id : undefined;
    return chosen ?? toSessionId(this.#options.ports.chance.id());
  }

  async #journal(
    target: SessionTarget,
    sessionId: SessionId,
    lease: SessionLease,
    origin: Origin,
  ): Promise<OpenedJournal> {
    const opened = { sessionId, lease, savedSeq: 0 };
    switch (target.type) {
      case "new": {
        const { config } = this.#options;
        if (config === null) throw new AppError("internal.bug", "a session needs a configuration to begin with");
        const opening = [this.#started(sessionId, origin), { type: "session-configured", config } as const];
        return { ...opened, seq: 0, state: initialState, opening };
      }
      case "resume": {
        const journal = await this.#archive.fold(sessionId);
        return { ...opened, ...journal, opening: await this.#changed(journal.state) };
      }
      case "fork": {
        const journal = await this.#copyOf(target.id, opened, origin);
        return { ...opened, ...journal, opening: await this.#changed(journal.state) };
      }
      default:
        return unreachable(target);
    }
  }

  async #refuseExisting(id: SessionId | undefined): Promise<void> {
    if (id === undefined || (await this.#options.ports.store.read(id, 0)).length === 0) return;
    throw new AppError("usage.invalid", `the session ${id} exists already`, {
      hint: "Use --resume to go on with it.",
    });
  }

  /**
   * A fork begins with its source's records under its own id, and at rest: what is in flight there goes on there. They are
   * stored at once, with the time of the last of them: whoever watches the fork hears only what happens in it.
   */
  async #copyOf(
    sourceId: SessionId,
    { sessionId, lease }: Pick<OpenedJournal, "sessionId" | "lease">,
    origin: Origin,
  ): Promise<Pick<OpenedJournal, "seq" | "state">> {
    const { store, clock } = this.#options.ports;
    const source = await this.readSession(sourceId);
    const { seq = 0, at = clock.now() } = source.at(-1) ?? {};
    const started = this.#started(sessionId, origin, { sessionId: sourceId, seq });
    const batch = { after: 0, at, records: copiedRecords(source, started, origin), flush: true };
    const generation = lease === undefined ? {} : { generation: lease.generation };
    const events = await store.append(sessionId, { ...batch, ...generation });
    return { seq: events.at(-1)?.seq ?? 0, state: events.map((event) => event.record).reduce(evolve, initialState) };
  }

  #started(sessionId: SessionId, origin: Origin, forkedFrom?: SessionStarted["forkedFrom"]): SessionStarted {
    const { workspace, version } = this.#options;
    const started = { type: "session-started", sessionId, workspace, origin, version } as const;
    return forkedFrom === undefined ? started : { ...started, forkedFrom };
  }

  /** The settings, where they are not those the journal ends with, and approvals that were revoked since. */
  async #changed(state: SessionState): Promise<readonly JournalRecord[]> {
    const { ports } = this.#options;
    const config = configFor(state, this.#options);
    if (config === null) return [];
    const isSame = state.config !== null && canonicalJson(state.config) === canonicalJson(config);
    const revoked = await revokedGrants(state, ports.store.grants);
    return [...revoked, ...(isSame ? [] : [{ type: "session-configured", config } as const])];
  }
}

function configFor(state: SessionState, { config, openTurnMode = "change" }: LocalEngineOptions): SessionConfig | null {
  const own = openTurnOf(state) === null ? undefined : state.config?.mode;
  if (config === null || own === undefined || openTurnMode === "change") return config;
  return openTurnMode === "keep" || own === "plan" ? { ...config, mode: own } : config;
}

import { assumedNotice, fold, initialState, pendingInteractions, type SessionState } from "@capstan/session";
import type { Grants, ToolNotice } from "@capstan/ports";
import { type ActionPorts, type DecisionPorts, type OpenedJournal, SessionRuntime } from "@capstan/runtime";
import {
  AppError,
  canonicalJson,
  type Child,
  type ClientIdentity,
  type Interaction,
  type JournalRecord,
  modelName,
  type NoticeRecord,
  type Origin,
  type SessionConfig,
  type SessionEvent,
  type SessionId,
  type SessionTarget,
  toSessionId,
  type ToolDefinition,
  toTurnId,
  type TurnId,
  unreachable,
  type Workspace,
} from "@capstan/protocol";
import type { OpenedSession, SessionOpener } from "@capstan/hub";
import type { SessionSettings } from "@capstan/settings";
import { changedTools } from "./changed-tools.ts";
import { livingFolder } from "./living-folder.ts";
import { SessionLease } from "./session-lease.ts";
import { SessionArchive } from "./session-archive.ts";

/** What holds beyond a session is kept beside the journals, and is revoked there. */
async function revokedGrants({ grants }: SessionState, kept: Grants): Promise<readonly JournalRecord[]> {
  const lasting = grants.filter(({ scope }) => scope === "always");
  if (lasting.length === 0) return [];
  const known = new Set((await kept.list()).map(({ id }) => id));
  return lasting.flatMap(({ id }) => (known.has(id) ? [] : [{ type: "grant-revoked", grantId: id } as const]));
}

/** What a session of some workspace runs on, as far as opening it asks. */
export interface SessionParts {
  readonly workspace: Workspace;
  /** `null`: every session keeps its own settings, and none can be begun. */
  readonly settings: SessionSettings | null;
  /** What it acts with once it is recovered. */
  readonly action: ActionPorts;
  /** The tools there are now, whenever they change, and what people should know of it. @returns ends the subscription */
  onTools?(listener: (tools: readonly ToolDefinition[], news: readonly ToolNotice[]) => void): () => void;
  /** What its user does not know of it, when it is opened to work in. */
  noticesOf?(id: SessionId): Promise<readonly NoticeRecord[]>;
  /** The session is this process's no more, and nothing of it runs. */
  ended?(id: SessionId): void;
  /** For the first session that is opened to work in. */
  readonly notices?: readonly Omit<NoticeRecord, "type">[];
}

export interface LocalEngineOptions {
  readonly ports: DecisionPorts;
  /** `null`: the workspace this process was started for. @throws AppError `config.*`, `usage.workspace-missing` */
  parts(workspace: Workspace | null, id?: SessionId): Promise<SessionParts>;
  readonly version: string;
  /** Of each session that is opened to work in, with what waits in it. @returns receives what happens there from then on */
  readonly observe?:
    | ((
        session: Pick<SessionRuntime, "id"> & { readonly pending: readonly Interaction[] },
      ) => (event: SessionEvent) => void)
    | undefined;
}

/** How a session is opened. */
interface Opening {
  readonly isForWork: boolean;
  readonly settle: (opened: Opened) => Promise<void>;
}

interface Opened {
  readonly runtime: SessionRuntime;
  readonly settings: SessionSettings | null;
  readonly action: ActionPorts;
  /** Why it cannot be carried on with here; `null`: it can. */
  readonly lack: AppError | null;
}

/** A journal with what it is opened with. */
interface Found {
  readonly journal: OpenedJournal;
  readonly parts: SessionParts;
  readonly lack: AppError | null;
}

type SessionStarted = Extract<JournalRecord, { type: "session-started" }>;

/** The engine in this process. */
export class LocalEngine implements SessionOpener {
  readonly #options: LocalEngineOptions;
  readonly #archive: SessionArchive;
  readonly #open = new Set<SessionRuntime>();
  /** Parts whose notices were reported. */
  readonly #reported = new Set<SessionParts>();

  constructor(options: LocalEngineOptions) {
    this.#options = options;
    this.#archive = new SessionArchive(options.ports.store);
  }

  /**
   * Makes this process the session's writer. What an earlier process left open is carried on with at once (`recover`), or when the
   * session is recovered. Without `recover` it opens also where something is lacking: nothing is carried out then.
   * @throws AppError `session.busy`, `session.unknown`, `storage.*`; with `recover` also what the session's settings lack here
   */
  async openSession(
    target: SessionTarget,
    { identity, recover }: { readonly identity: ClientIdentity; readonly recover: boolean },
  ): Promise<OpenedSession> {
    const { frontend, user } = identity;
    const origin = user === undefined ? { frontend } : { frontend, user };
    const settle = recover ? settleAndRecover : settleAtRest;
    const opened = await this.#openWith(target, origin, { isForWork: true, settle });
    const { runtime, settings, action, lack } = opened;
    const waits = !recover && (lack !== null || !runtime.isAtRest);
    return { runtime, settings, waits, recover: () => runtime.recover(action) };
  }

  /** What this process would lack to carry on with a session; `null`: nothing. @throws AppError what keeps it from opening it at all */
  async lack(id: SessionId): Promise<AppError | null> {
    const { state } = await this.#archive.fold(id);
    const { settings } = await this.#options.parts(state.workspace, id);
    return settings === null || state.config === null ? null : settings.ofResumed(state.config).lack;
  }

  async #openWith(target: SessionTarget, origin: Origin, { isForWork, settle }: Opening): Promise<Opened> {
    const { ports } = this.#options;
    const sessionId = target.type === "resume" ? target.id : this.#newId(target);
    if (target.type === "new") await this.#refuseExisting(target.id);
    const id = ports.chance.id();
    const lease = await SessionLease.claim({
      store: ports.store,
      clock: ports.clock,
      sessionId,
      id,
      frontend: origin.frontend,
    });
    try {
      const { journal, parts, lack } = await this.#journal(target, { sessionId, lease, origin, isForWork });
      const reported = lack === null ? [] : [noticeOf(lack)];
      const damage = isForWork && target.type !== "new" ? await this.#archive.damage(target.id) : [];
      const own = isForWork && target.type !== "new" ? await parts.noticesOf?.(sessionId) : undefined;
      const notices = [...this.#noticesOf(parts, isForWork), ...(own ?? [])];
      const opening = [...journal.opening, ...notices, ...damage, ...reported];
      const runtime = new SessionRuntime({ ...journal, opening }, origin, ports);
      lease.onLost((fault) => runtime.stop(fault));
      const unsubscribe = isForWork ? parts.onTools?.((...now) => this.#offer(runtime, ...now)) : undefined;
      lease.onRelease(() => {
        unsubscribe?.();
        parts.ended?.(sessionId);
        this.#open.delete(runtime);
      });
      this.#open.add(runtime);
      if (isForWork) this.#observe(runtime);
      const opened = { runtime, settings: parts.settings, action: parts.action, lack };
      await settle(opened);
      return opened;
    } catch (error) {
      await lease.release().catch(() => undefined);
      throw error;
    }
  }

  #observe(runtime: SessionRuntime): void {
    const pending = pendingInteractions(runtime.state.operation);
    const observer = this.#options.observe?.({ id: runtime.id, pending });
    if (observer !== undefined) runtime.subscribe(observer);
  }

  /** A server has other tools than before: they are offered from the next request on. */
  #offer(runtime: SessionRuntime, now: readonly ToolDefinition[], news: readonly ToolNotice[]): void {
    const { config } = runtime.state;
    const tools = config === null ? null : changedTools(config, now);
    if (tools === null && news.length === 0) return;
    const notices = news.map((notice) => ({ type: "notice", ...notice }) as const);
    runtime.offer(tools, notices).catch((error: unknown) => this.#options.ports.report(error));
  }

  /** Reported once, in the first session that is opened to work in. */
  #noticesOf(parts: SessionParts, isForWork: boolean): readonly NoticeRecord[] {
    if (!isForWork || this.#reported.has(parts)) return [];
    this.#reported.add(parts);
    return (parts.notices ?? []).map((notice) => ({ type: "notice", ...notice }));
  }

  /**
   * Opens a session to change it as a whole: what an earlier process left is settled as far as it can be proved, and not
   * continued.
   * @throws {AppError} `session.unknown`, `session.busy`, `storage.*`
   */
  async openAtRest(id: SessionId, origin: Origin): Promise<SessionRuntime> {
    const { runtime } = await this.#openWith({ type: "resume", id }, origin, {
      isForWork: false,
      settle: ({ runtime: opened, action }) => opened.rest(action),
    });
    return runtime;
  }

  /** The session where it is open in this process. */
  stateOf(id: SessionId): SessionState | undefined {
    return [...this.#open].find((runtime) => runtime.id === id)?.state;
  }

  /** Hands over what happens in a session that is open in this process. @returns ends it */
  follow(id: SessionId, listener: (record: JournalRecord) => void): () => void {
    const open = [...this.#open].find((runtime) => runtime.id === id);
    return open?.subscribe(({ record }) => listener(record)) ?? (() => undefined);
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
    place: {
      readonly sessionId: SessionId;
      readonly lease: SessionLease;
      readonly origin: Origin;
      readonly isForWork: boolean;
    },
  ): Promise<Found> {
    const { sessionId, lease, origin, isForWork } = place;
    const opened = { sessionId, lease, savedSeq: 0 };
    switch (target.type) {
      case "new": {
        const { child } = target;
        const parts = await this.#options.parts(child?.workspace ?? null);
        if (parts.settings === null) throw new AppError("internal.bug", "a session needs settings to begin with");
        const title = target.title?.trim() ?? "";
        const config = child === undefined ? parts.settings.ofNew() : settingsOfChild(parts.settings, child);
        const opening: readonly JournalRecord[] = [
          this.#started(sessionId, origin, parts.workspace, child === undefined ? {} : { spawnedBy: child.spawnedBy }),
          { type: "session-configured", config },
          ...assumedNotice(config.model),
          ...(title === "" ? [] : [{ type: "session-titled", title, origin } as const]),
        ];
        return { journal: { ...opened, seq: 0, state: initialState, opening }, parts, lack: null };
      }
      case "resume": {
        const journal = await this.#archive.fold(sessionId);
        const parts = await this.#options.parts(journal.state.workspace, sessionId);
        const changed = isForWork ? await this.#changed(journal.state, parts) : { opening: [], lack: null };
        return { journal: { ...opened, ...journal, opening: changed.opening }, parts, lack: changed.lack };
      }
      case "fork": {
        const { workspace } = (await this.#archive.fold(target.id)).state;
        // A copy continues here, where its source no longer can.
        const parts = await this.#options.parts(await livingFolder(workspace));
        const journal = await this.#copyOf(target.id, place, parts.workspace);
        const { opening, lack } = await this.#changed(journal.state, parts);
        return { journal: { ...opened, ...journal, opening }, parts, lack };
      }
      default:
        return unreachable(target);
    }
  }

  async #refuseExisting(id: SessionId | undefined): Promise<void> {
    if (id === undefined || (await this.#options.ports.store.read(id, 0)).length === 0) return;
    throw new AppError("usage.invalid", `the session ${id} exists already`, {
      hint: "Use --resume to continue with it.",
    });
  }

  /**
   * A fork begins with its source's records under its own id, and at rest: what is in flight there continues there. They are
   * stored at once, with the time of the last of them: whoever watches the fork receives only what happens in it.
   */
  async #copyOf(
    sourceId: SessionId,
    {
      sessionId,
      lease,
      origin,
    }: { readonly sessionId: SessionId; readonly lease: SessionLease; readonly origin: Origin },
    workspace: Workspace,
  ): Promise<Pick<OpenedJournal, "seq" | "state">> {
    const { store, clock } = this.#options.ports;
    const { copiedRecords } = await import("@capstan/importers");
    const source = await this.#archive.read(sourceId);
    const { seq = 0, at = clock.now() } = source.at(-1) ?? {};
    const started = this.#started(sessionId, origin, workspace, { forkedFrom: { sessionId: sourceId, seq } });
    const batch = { after: 0, at, records: copiedRecords(source, started, origin), flush: true };
    const events = await store.append(sessionId, { ...batch, generation: lease.generation });
    return { seq: events.at(-1)?.seq ?? 0, state: fold(events.map((event) => event.record)) };
  }

  // oxlint-disable-next-line max-params -- the last says what few sessions have
  #started(
    sessionId: SessionId,
    origin: Origin,
    workspace: Workspace,
    from: Pick<SessionStarted, "forkedFrom" | "spawnedBy"> = {},
  ): SessionStarted {
    const { version } = this.#options;
    return { type: "session-started", sessionId, workspace, origin, version, ...from };
  }

  /** The settings, where they are not those the journal ends with, and approvals that were revoked since. */
  async #changed(
    state: SessionState,
    { settings }: SessionParts,
  ): Promise<{ readonly opening: readonly JournalRecord[]; readonly lack: AppError | null }> {
    const { ports } = this.#options;
    if (settings === null) return { opening: [], lack: null };
    const { config, lack } =
      state.config === null ? { config: settings.ofNew(), lack: null } : settings.ofResumed(state.config);
    const isSame = state.config !== null && canonicalJson(state.config) === canonicalJson(config);
    const revoked = await revokedGrants(state, ports.store.grants);
    const isSameModel = state.config !== null && modelName(state.config.model) === modelName(config.model);
    const notices = isSameModel ? [] : assumedNotice(config.model);
    const configured = isSame ? [] : [{ type: "session-configured", config } as const];
    return { opening: [...revoked, ...configured, ...notices], lack };
  }
}

/** @throws AppError for what the session lacks here */
function settingsOfChild(settings: SessionSettings, child: Child): SessionConfig {
  const { config, lack } = settings.ofResumed(child.config);
  if (lack !== null) throw lack;
  return config;
}

async function settleAndRecover({ runtime, action, lack }: Opened): Promise<void> {
  if (lack !== null) throw lack;
  await runtime.recover(action);
}

/** What is open waits; a session at rest acts from here on, unless something is lacking: whoever is attached learns what. */
async function settleAtRest({ runtime, action, lack }: Opened): Promise<void> {
  if (lack === null && runtime.isAtRest) await runtime.recover(action);
  if (lack !== null && !runtime.isAtRest) await runtime.announce();
}

function noticeOf({ message, hint }: AppError): NoticeRecord {
  const remedy = hint === undefined ? "" : ` ${hint}`;
  const text = `Process ${process.pid} has this session and cannot carry on with it: ${message}.${remedy}`;
  return { type: "notice", level: "warning", code: "session.lacks", text };
}

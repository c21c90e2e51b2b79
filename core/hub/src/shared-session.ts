import type { Clock, SessionStore } from "@capstan/ports";
import {
  AppError,
  type ChangedSettings,
  type ClientIdentity,
  type Presence,
  type Receipt,
  type RecoveryReport,
  type RefusalCode,
  type ResolvedSubmission,
  type SessionConfig,
  type SessionEvent,
  type SessionId,
  type SessionOwner,
  type SettingsPatch,
  type Submission,
} from "@capstan/protocol";
import type { SessionRuntime } from "@capstan/runtime";
import { EventFeed } from "./feed/event-feed.ts";
import { SharedPages } from "./feed/shared-pages.ts";
import { settledReceipt } from "./settled-receipt.ts";

/** What the sessions of a hub share. */
export interface SharedParts {
  readonly store: SessionStore;
  readonly clock: Clock;
  /** Receives mistakes that did not stop anything. */
  report(error: unknown): void;
}

type Refused = Extract<Receipt, { readonly type: "refused" }>;

/** A session that this process writes to from now on. */
export interface OpenedSession {
  readonly runtime: SessionRuntime;
  /** `null`: names of models and the like mean nothing here. */
  readonly settings: SettingsOfSession | null;
  /** What is open is not carried on with; at rest: nothing that is begun is, because something is lacking. */
  readonly waits: boolean;
  /** Carries on with it. */
  recover(): Promise<void>;
}

/** What the settings of a session mean in this process. */
export interface SettingsOfSession {
  /**
   * What a client's patch means for a session that has these settings.
   * @throws AppError for a model that is not known or cannot be asked, and for what is locked
   */
  patched(own: SessionConfig, patch: SettingsPatch): ChangedSettings;
  /** Why a session with these settings cannot be carried on with here; `null`: it can. */
  lack(own: SessionConfig): AppError | null;
}

/** What closing a session means for whoever keeps it. */
interface Closing {
  /** Takes away how other processes reach it; before anything else. */
  hide(): Promise<void>;
  /** After everything else. */
  gone(id: SessionId): void;
}

/** A session that this process writes to, with everybody who is attached to it here. */
export class SharedSession {
  readonly id: SessionId;
  readonly runtime: SessionRuntime;
  readonly #opened: OpenedSession;
  readonly #parts: SharedParts;
  readonly #hooks: Closing;
  readonly #present = new Map<string, Presence>();
  readonly #feeds = new Set<EventFeed>();
  readonly #pages: SharedPages;
  readonly #stopListening: () => void;
  #clients = 0;
  #hasEnded = false;
  #waits: boolean;
  /** It continues as soon as nothing is lacking any more: somebody has resumed it, or it was at rest. */
  #isWanted: boolean;
  #resuming: Promise<Receipt> | undefined;
  #closing: Promise<void> | undefined;

  constructor(opened: OpenedSession, parts: SharedParts, hooks: Closing) {
    const { runtime } = opened;
    this.#opened = opened;
    this.id = runtime.id;
    this.runtime = runtime;
    this.#parts = parts;
    this.#hooks = hooks;
    this.#pages = new SharedPages((after, limit) => runtime.page(after, limit));
    this.#waits = opened.waits;
    this.#isWanted = runtime.isAtRest;
    this.#stopListening = runtime.subscribeAll((events) => this.#publish(events));
    void this.#endWithFault();
  }

  /** What opening found, and what is lacking to carry on with it. */
  get recovery(): RecoveryReport {
    const lack = this.#waits ? this.#lack() : null;
    const report = { after: this.runtime.openedAfter, waits: this.#waits };
    return lack === null ? report : { ...report, lacks: lackOf(lack) };
  }

  /** Something is open that nobody has resumed here. */
  get waits(): boolean {
    return this.#waits;
  }

  get fault(): Promise<AppError> {
    return this.runtime.fault;
  }

  /** Resolves when it is closed; `undefined`: it is open. */
  get closing(): Promise<void> | undefined {
    return this.#closing;
  }

  /** @returns `null` when it is being closed */
  enter(identity: ClientIdentity): string | null {
    if (this.#closing !== undefined) return null;
    this.#clients += 1;
    const clientId = `c${this.#clients}`;
    const { frontend, user, role } = identity;
    const since = this.#parts.clock.now();
    this.#present.set(clientId, { clientId, frontend, role, since, ...(user === undefined ? {} : { user }) });
    this.#sendPresence();
    return clientId;
  }

  /** The last one who leaves closes the session. */
  async leave(clientId: string): Promise<void> {
    if (!this.#present.delete(clientId)) return;
    this.#sendPresence();
    if (this.#present.size === 0 && this.#closing === undefined) await this.close("the last client left");
  }

  presence(): readonly Presence[] {
    return [...this.#present.values()];
  }

  owner(): SessionOwner {
    return { type: "here" };
  }

  feed(after: number, onEnd: () => void): EventFeed {
    const feed = new EventFeed(
      {
        seq: () => this.runtime.seq,
        snapshot: () => this.runtime.snapshot(),
        read: (from, limit) => this.#pages.read(from, limit, this.#feeds.size > 1),
      },
      after,
      () => {
        this.#feeds.delete(feed);
        if (this.#feeds.size < 2) this.#pages.forget();
        onEnd();
      },
    );
    if (this.#hasEnded) feed.end("the session was closed");
    else {
      this.#feeds.add(feed);
      feed.sendPresence(this.presence());
    }
    return feed;
  }

  /** Decides on a submission of a client that came through the door. */
  async submit(submission: Submission, identity: ClientIdentity): Promise<Receipt> {
    if (this.#closing !== undefined) return sessionClosed;
    const resolved = this.#resolve(submission);
    if (resolved.type === "refused") return resolved;
    const { frontend, user, role } = identity;
    const origin = user === undefined ? { frontend } : { frontend, user };
    const receipt = await this.runtime.submit(resolved, { origin, role });
    if (receipt.type === "refused") return await this.#explained(submission, receipt);
    if (submission.type === "resume") return await this.resume();
    // What was lacking may be there now.
    if (submission.type === "set" && this.#waits && this.#isWanted) await this.resume();
    return receipt;
  }

  async #explained(submission: Submission, refused: Refused): Promise<Receipt> {
    if (submission.type !== "answer" || refused.code !== "interaction.settled") return refused;
    return await settledReceipt(submission, refused, (before, limit) => this.runtime.pageBefore(before, limit));
  }

  /** Carries out, once, what an earlier process left open, unless this one lacks what it takes. */
  resume(): Promise<Receipt> {
    this.#resuming ??= this.#resume().finally(() => {
      this.#resuming = undefined;
    });
    return this.#resuming;
  }

  async #resume(): Promise<Receipt> {
    if (!this.#waits) return { type: "accepted", seq: this.runtime.seq };
    this.#isWanted = true;
    const lack = this.#lack();
    if (lack !== null) return refusedBy(lack, "session.waiting");
    await this.#opened.recover();
    this.#waits = false;
    return { type: "accepted", seq: this.runtime.seq };
  }

  #lack(): AppError | null {
    return this.#opened.settings?.lack(this.runtime.snapshot().config) ?? null;
  }

  /** From now on nobody enters and nothing is submitted; resolves when the session is given back. */
  close(reason: string): Promise<void> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  async #endWithFault(): Promise<void> {
    const { message } = await this.runtime.fault;
    this.#end(message);
    await this.close(message).catch((error: unknown) => this.#parts.report(error));
  }

  async #close(reason: string): Promise<void> {
    try {
      await this.#hooks.hide().catch((error: unknown) => this.#parts.report(error));
      await this.runtime.close();
    } finally {
      this.#end(reason);
      this.#hooks.gone(this.id);
    }
  }

  /** The names of a submission mean something here, or it is refused. */
  #resolve(submission: Submission): ResolvedSubmission | Refused {
    if (submission.type !== "set") return submission;
    const { settings } = this.#opened;
    if (settings === null) return { type: "refused", code: "settings.invalid", reason: "no settings are known here" };
    try {
      return { type: "configure", config: settings.patched(this.runtime.snapshot().config, submission.settings) };
    } catch (error) {
      return refusedBy(error, "settings.invalid");
    }
  }

  #publish(events: readonly SessionEvent[]): void {
    for (const feed of this.#feeds) feed.publish(events);
  }

  #sendPresence(): void {
    const present = this.presence();
    for (const feed of this.#feeds) feed.sendPresence(present);
  }

  #end(reason: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#stopListening();
    for (const feed of this.#feeds) feed.end(reason);
  }
}

/** What is sent to a session that nobody has open here any more. */
export const sessionClosed: Receipt = { type: "refused", code: "session.closed", reason: "the session was closed" };

function lackOf({ code, message: reason, hint }: AppError): NonNullable<RecoveryReport["lacks"]> {
  return hint === undefined ? { code, reason } : { code, reason, hint };
}

/** What this process lacks is said to whoever asked, and nothing changes. */
function refusedBy(error: unknown, code: RefusalCode): Refused {
  if (!(error instanceof AppError)) throw error;
  const hint = error.hint === undefined ? {} : { hint: error.hint };
  return { type: "refused", code, reason: error.message, ...hint };
}

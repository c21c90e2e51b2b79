import type { Clock, SessionStore } from "@capstan/ports";
import {
  type AppError,
  type ClientIdentity,
  type ConversationPage,
  type Draft,
  type FoundFiles,
  type Frame,
  type HistoryPage,
  type Presence,
  type Receipt,
  type RecoveryReport,
  requireRole,
  type RewindPreview,
  type SessionClient,
  type SessionId,
  type SessionOwner,
  type SessionSnapshot,
  type Submission,
  type Workspace,
  type ContextReport,
} from "@capstan/protocol";
import { Door } from "./door/door.ts";
import { readDraft, writeDraft } from "./drafts.ts";
import type { EventFeed } from "./feed/event-feed.ts";
import { sessionClosed, type SharedSession } from "./shared-session.ts";

/** Looks for files of a workspace by letters of their paths, as `SessionClient.findFiles` says. */
export type FindFiles = (workspace: Workspace, text: string, limit: number) => Promise<FoundFiles>;

interface Entrance {
  readonly identity: ClientIdentity;
  readonly clientId: string;
  readonly ports: { readonly store: SessionStore; readonly clock: Clock; readonly findFiles: FindFiles };
}

/** A client of a session that this process writes to. */
export class LocalClient implements SessionClient {
  readonly id: SessionId;
  readonly identity: ClientIdentity;
  readonly fault: Promise<AppError>;
  readonly #session: SharedSession;
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #findFiles: FindFiles;
  readonly #door: Door;
  readonly #clientId: string;
  readonly #feeds = new Set<EventFeed>();
  #isClosed = false;

  private constructor(session: SharedSession, { identity, clientId, ports }: Entrance) {
    this.id = session.id;
    this.identity = identity;
    this.fault = session.fault;
    this.#session = session;
    this.#store = ports.store;
    this.#clock = ports.clock;
    this.#findFiles = ports.findFiles;
    this.#door = new Door(identity, ports.clock);
    this.#clientId = clientId;
  }

  /** @returns `null` when the session is being closed */
  static enter(session: SharedSession, identity: ClientIdentity, ports: Entrance["ports"]): LocalClient | null {
    const clientId = session.enter(identity);
    return clientId === null ? null : new LocalClient(session, { identity, clientId, ports });
  }

  get recovery(): RecoveryReport {
    return this.#session.recovery;
  }

  attach(after: number): AsyncIterable<Frame> {
    const feed = this.#session.feed(after, () => this.#feeds.delete(feed));
    if (this.#isClosed) feed.end("this client was closed");
    this.#feeds.add(feed);
    return feed;
  }

  async submit(submission: Submission): Promise<Receipt> {
    if (this.#isClosed) return sessionClosed;
    return this.#door.check(submission) ?? (await this.#session.submit(submission, this.identity));
  }

  async snapshot(): Promise<SessionSnapshot> {
    return this.#session.runtime.snapshot();
  }

  async history(before: number | null, limit: number): Promise<HistoryPage> {
    return pageOf(await this.#session.runtime.pageBefore(before, limit));
  }

  async conversation(before: number | null, limit: number): Promise<ConversationPage> {
    return this.#session.runtime.conversation(before, limit);
  }

  draft(): Promise<Draft | null> {
    return readDraft(this.#store, this);
  }

  /** It is kept beside a session that others find, too. */
  async saveDraft(text: string | null): Promise<void> {
    await this.#session.runtime.establish();
    await writeDraft(this.#store, this, text, this.#clock.now());
  }

  async presence(): Promise<readonly Presence[]> {
    return this.#session.presence();
  }

  async owner(): Promise<SessionOwner> {
    return this.#session.owner();
  }

  async previewRewind(keepTurns: number): Promise<RewindPreview> {
    return await this.#session.runtime.previewRewind(keepTurns);
  }

  async context(): Promise<ContextReport | null> {
    return this.#session.runtime.context();
  }

  async findFiles(text: string, limit: number): Promise<FoundFiles> {
    requireRole("session.findFiles", this.identity);
    return await this.#findFiles(this.#session.runtime.snapshot().workspace, text, limit);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const feed of this.#feeds) await feed.return();
    await this.#session.leave(this.#clientId);
  }
}

/** A page knows where the one before it ends. */
export function pageOf(events: HistoryPage["events"]): HistoryPage {
  const first = events[0]?.seq ?? 1;
  return { events, before: first <= 1 ? null : first };
}

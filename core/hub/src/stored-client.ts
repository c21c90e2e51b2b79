import {
  contextReport,
  conversationPage,
  fold,
  previewRewind,
  type SessionState,
  snapshot as snapshotOf,
} from "@capstan/session";
import { roleProblem } from "@capstan/engine";
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
  type RefusalCode,
  requireRole,
  type ResolvedSubmission,
  type RewindPreview,
  type SessionClient,
  type SessionEvent,
  type SessionId,
  type SessionOwner,
  type SessionSnapshot,
  type Submission,
  type ContextReport,
} from "@capstan/protocol";
import { type Redactor, shownEvent, shownPage, shownSnapshot, withoutSecrets } from "@capstan/runtime";
import { Door } from "./door/door.ts";
import { readDraft, writeDraft } from "./drafts.ts";
import { EventFeed } from "./feed/event-feed.ts";
import { followIntervalMs } from "./limits.ts";
import { type FindFiles, pageOf } from "./local-client.ts";

interface StoredParts {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly redact: Redactor;
  readonly findFiles: FindFiles;
  /** Whether a process can be reached again, so that the session need not be read from the store any more. */
  isOver(): Promise<boolean>;
}

/** Why nothing can be submitted here. */
export interface StoredRefusal {
  readonly code: RefusalCode;
  readonly reason: string;
}

/** A session as the store holds it, with its fold up to its last number. */
export interface StoredJournal {
  readonly id: SessionId;
  readonly seq: number;
  readonly state: SessionState;
}

/** A session that is read from the store because no process that writes to it can be reached: nothing can be submitted. */
export class StoredClient implements SessionClient {
  readonly id: SessionId;
  readonly identity: ClientIdentity;
  /** The store's own faults are thrown where it is read. */
  readonly fault: Promise<AppError> = new Promise(() => undefined);
  readonly #parts: StoredParts;
  readonly #refusal: StoredRefusal;
  readonly #door: Door;
  readonly #present: readonly Presence[];
  readonly #feeds = new Set<EventFeed>();
  readonly #openedAt: number;
  #seq: number;
  #state: SessionState;
  #cancelLook: (() => void) | undefined;
  #isClosed = false;

  constructor(journal: StoredJournal, identity: ClientIdentity, parts: StoredParts, refusal: StoredRefusal) {
    this.id = journal.id;
    this.identity = identity;
    this.#parts = parts;
    this.#refusal = refusal;
    this.#door = new Door(identity, parts.clock);
    this.#present = [{ ...identity, clientId: "c1", since: parts.clock.now() }];
    this.#openedAt = journal.seq;
    this.#seq = journal.seq;
    this.#state = journal.state;
  }

  get recovery(): RecoveryReport {
    return { after: this.#openedAt, waits: false };
  }

  attach(after: number): AsyncIterable<Frame> {
    const feed = new EventFeed(
      {
        seq: () => this.#seq,
        snapshot: () => this.#shownSnapshot(),
        read: async (from, limit) => this.#shown(await this.#parts.store.read(this.id, from, limit)),
      },
      after,
      () => this.#feeds.delete(feed),
    );
    this.#feeds.add(feed);
    feed.showOwner({ type: "none", reason: this.#refusal.reason });
    feed.sendPresence(this.#present);
    this.#lookSoon();
    return feed;
  }

  /** What the role does not allow is refused as anywhere else; everything else because nobody is there to decide on it. */
  async submit(submission: Submission): Promise<Receipt> {
    const closed = this.#door.check(submission) ?? this.#roleProblem(submission);
    if (closed !== null) return closed;
    return {
      type: "refused",
      ...this.#refusal,
      hint: "The session is only read here. Resume it to continue.",
    };
  }

  #roleProblem(submission: Submission): Extract<Receipt, { readonly type: "refused" }> | null {
    const problem = roleProblem(this.#state, unresolved(submission), this.identity.role);
    return problem === null ? null : { type: "refused", ...problem };
  }

  async snapshot(): Promise<SessionSnapshot> {
    await this.#look();
    return this.#shownSnapshot();
  }

  async history(before: number | null, limit: number): Promise<HistoryPage> {
    return pageOf(this.#shown(await this.#parts.store.readBefore(this.id, before, limit)));
  }

  async conversation(before: number | null, limit: number): Promise<ConversationPage> {
    await this.#look();
    return shownPage(conversationPage(this.#state, before, limit), this.#parts.redact);
  }

  draft(): Promise<Draft | null> {
    return readDraft(this.#parts.store, this);
  }

  saveDraft(text: string | null): Promise<void> {
    return writeDraft(this.#parts.store, this, text, this.#parts.clock.now());
  }

  async presence(): Promise<readonly Presence[]> {
    return this.#present;
  }

  async owner(): Promise<SessionOwner> {
    return { type: "none", reason: this.#refusal.reason };
  }

  async previewRewind(keepTurns: number): Promise<RewindPreview> {
    await this.#look();
    return withoutSecrets(previewRewind(this.#state, keepTurns), this.#parts.redact);
  }

  async context(): Promise<ContextReport | null> {
    await this.#look();
    const report = contextReport(this.#state);
    return report === null ? null : withoutSecrets(report, this.#parts.redact);
  }

  async findFiles(text: string, limit: number): Promise<FoundFiles> {
    requireRole("session.findFiles", this.identity);
    return await this.#parts.findFiles(this.#shownSnapshot().workspace, text, limit);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelLook?.();
    for (const feed of this.#feeds) await feed.return();
  }

  #lookSoon(): void {
    if (this.#isClosed || this.#cancelLook !== undefined || this.#feeds.size === 0) return;
    this.#cancelLook = this.#parts.clock.after(followIntervalMs, () => {
      this.#cancelLook = undefined;
      void this.#follow().then(
        () => this.#lookSoon(),
        (error: unknown) => this.#end(error),
      );
    });
  }

  async #follow(): Promise<void> {
    await this.#look();
    if (await this.#parts.isOver()) this.#end(new Error("another process writes to the session now"));
  }

  async #look(): Promise<void> {
    const events = await this.#parts.store.read(this.id, this.#seq);
    // Two looks may read the same.
    const fresh = events.filter(({ seq }) => seq > this.#seq);
    if (fresh.length === 0) return;
    this.#state = fold(
      fresh.map(({ record }) => record),
      this.#state,
    );
    this.#seq = fresh.at(-1)?.seq ?? this.#seq;
    const shown = this.#shown(fresh);
    for (const feed of this.#feeds) feed.publish(shown);
  }

  #end(error: unknown): void {
    for (const feed of this.#feeds) feed.end(error instanceof Error ? error.message : String(error));
  }

  #shown(events: readonly SessionEvent[]): readonly SessionEvent[] {
    return events.map((event) => shownEvent(event, this.#parts.redact));
  }

  #shownSnapshot(): SessionSnapshot {
    return shownSnapshot(snapshotOf(this.#state, this.#seq), this.#parts.redact);
  }
}

/** A submission as far as roles are concerned: what the name of a model or a persona means is nobody's question here. */
function unresolved(submission: Submission): ResolvedSubmission {
  if (submission.type !== "set") return submission;
  const { model: _model, personas: _personas, ...config } = submission.settings;
  return { type: "configure", config };
}

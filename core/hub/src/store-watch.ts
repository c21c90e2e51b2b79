import type { PendingInteraction, SessionStore } from "@capstan/ports";
import type { Clock } from "@capstan/ports";
import { messageOf, type SessionId, type SessionSummary } from "@capstan/protocol";
import { storeLookIntervalMs } from "./limits.ts";

/** All sessions and everything that waits in them. */
export interface StoreView {
  /** Newest activity first. */
  readonly sessions: readonly SessionSummary[];
  /** Oldest first. */
  readonly pending: readonly PendingInteraction[];
}

/**
 * Pushes what changes in the store, by whichever process, to everybody who watches: one cheap question at a time for all of them, and only
 * what has changed is read.
 */
export class StoreWatch {
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #watchers = new Set<Watcher>();
  readonly #summaries = new Map<SessionId, SessionSummary>();
  readonly #pending = new Map<SessionId, readonly PendingInteraction[]>();
  #cursor = 0;
  #looking: Promise<void> | undefined;
  #cancelLook: (() => void) | undefined;

  constructor(store: SessionStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** What there is now, and again whenever it has changed; whoever pulls late gets only the latest. */
  watch(): Watcher {
    const watcher = new Watcher(
      async () => {
        await this.#look();
        return this.#view();
      },
      () => {
        this.#watchers.delete(watcher);
        if (this.#watchers.size === 0) this.#stopLooking();
      },
    );
    this.#watchers.add(watcher);
    this.#lookLater();
    return watcher;
  }

  close(): void {
    for (const watcher of this.#watchers) void watcher.return();
  }

  #lookLater(): void {
    if (this.#cancelLook !== undefined || this.#watchers.size === 0) return;
    this.#cancelLook = this.#clock.after(storeLookIntervalMs, () => {
      this.#cancelLook = undefined;
      void this.#look().then(
        () => this.#lookLater(),
        (error: unknown) => this.#fail(error),
      );
    });
  }

  #stopLooking(): void {
    this.#cancelLook?.();
    this.#cancelLook = undefined;
  }

  /** One question at a time, whoever asks. */
  #look(): Promise<void> {
    this.#looking ??= this.#readChanges().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #readChanges(): Promise<void> {
    const { cursor, isWhole, sessions, deleted } = await this.#store.changedSince(this.#cursor);
    const isChanged = isWhole || sessions.length > 0 || deleted.length > 0;
    this.#cursor = cursor;
    if (!isChanged) return;
    if (isWhole) {
      this.#summaries.clear();
      this.#pending.clear();
    }
    for (const id of deleted) {
      this.#summaries.delete(id);
      this.#pending.delete(id);
    }
    for (const { summary, pending } of sessions) {
      this.#summaries.set(summary.id, summary);
      this.#pending.set(summary.id, pending);
    }
    for (const watcher of this.#watchers) watcher.change();
  }

  #view(): StoreView {
    return {
      sessions: [...this.#summaries.values()].toSorted((one, other) => other.updatedAt - one.updatedAt),
      pending: [...this.#pending.values()].flat().toSorted((one, other) => one.openedAt - other.openedAt),
    };
  }

  #fail(error: unknown): void {
    for (const watcher of this.#watchers) watcher.fail(new Error(messageOf(error), { cause: error }));
  }
}

/** One who watches: pulled, with nothing kept but that something has changed. */
class Watcher implements AsyncIterableIterator<StoreView> {
  readonly #read: () => Promise<StoreView>;
  readonly #onEnd: () => void;
  #hasChanged = true;
  #isOver = false;
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(read: () => Promise<StoreView>, onEnd: () => void) {
    this.#read = read;
    this.#onEnd = onEnd;
  }

  change(): void {
    this.#hasChanged = true;
    this.#wake?.();
  }

  fail(error: Error): void {
    this.#error = error;
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<StoreView, undefined>> {
    while (!this.#hasChanged && !this.#isOver && this.#error === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#error !== undefined) throw this.#error;
    if (this.#isOver) return { done: true, value: undefined };
    const view = await this.#read();
    // What changed while it was read is in it.
    this.#hasChanged = false;
    return { done: false, value: view };
  }

  async return(): Promise<IteratorResult<StoreView, undefined>> {
    if (!this.#isOver) this.#onEnd();
    this.#isOver = true;
    this.#wake?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

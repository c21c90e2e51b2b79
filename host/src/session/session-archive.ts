import { setImmediate as afterOthers, setTimeout as sleep } from "node:timers/promises";
import { Folding, initialState, outlined, type SessionState, stateFormat } from "@capstan/session";
import type { ChainedEvent, LeaseOwner, SavedState, SessionStore } from "@capstan/ports";
import {
  AppError,
  candidatesText,
  type HistoryPage,
  type NoticeRecord,
  type SessionEvent,
  type SessionId,
  type SessionSummary,
  shortIds,
  toSessionId,
} from "@capstan/protocol";
import { pageOf } from "@capstan/hub";
import { type Redactor, shownEvent } from "@capstan/runtime";
import { eventsShownAtOnce } from "../limits.ts";
import { inParts, lookFor } from "@capstan/storage";

/** How often a reader looks for more: a user reads along, nobody waits. */
const followIntervalMs = 200;

/** The sessions that exist, for reading. */
export class SessionArchive {
  readonly #store: SessionStore;

  constructor(store: SessionStore) {
    this.#store = store;
  }

  list(): Promise<readonly SessionSummary[]> {
    return this.#store.list();
  }

  /** @throws {AppError} `session.unknown` */
  async read(id: SessionId): Promise<readonly SessionEvent[]> {
    const events = await this.#store.read(id, 0);
    if (events.length === 0) throw unknownSession(id);
    return events;
  }

  /** All kept events, of which a part is in memory at a time. @throws {AppError} `session.unknown` */
  async *events(id: SessionId): AsyncGenerator<SessionEvent> {
    await this.require(id);
    yield* inParts((after, limit) => this.#store.read(id, after, limit));
  }

  /** Kept events as they are shown. @throws {AppError} `session.unknown` */
  async readShown(
    id: SessionId,
    { after, limit, redact }: { readonly after: number; readonly limit: number | undefined; readonly redact: Redactor },
  ): Promise<readonly SessionEvent[]> {
    const shown =
      limit === undefined
        ? await this.#shownToTheEnd(id, after, redact)
        : (await this.#store.read(id, after, limit)).map((event) => shownEvent(event, redact));
    if (shown.length === 0) await this.require(id);
    return shown;
  }

  /** What else this process does has its turn in between: it may serve clients of the same session. */
  async #shownToTheEnd(id: SessionId, after: number, redact: Redactor): Promise<readonly SessionEvent[]> {
    const shown: SessionEvent[] = [];
    for (let last = after; ;) {
      const events = await this.#store.read(id, last, eventsShownAtOnce);
      const end = events.at(-1);
      if (end === undefined) return shown;
      for (const event of events) shown.push(shownEvent(event, redact));
      last = end.seq;
      await afterOthers();
    }
  }

  /** The newest of them. @throws {AppError} `session.unknown` */
  async readShownBefore(
    id: SessionId,
    { before, limit, redact }: { readonly before: number | null; readonly limit: number; readonly redact: Redactor },
  ): Promise<HistoryPage> {
    const events = await this.#store.readBefore(id, before, limit);
    if (events.length === 0) await this.require(id);
    return pageOf(events.map((event) => shownEvent(event, redact)));
  }

  /** @throws {AppError} `session.unknown` */
  async require(id: SessionId): Promise<void> {
    if ((await this.#store.findIds(id, 1))[0] !== id) throw unknownSession(id);
  }

  /** All kept events with their places in the chain, a part at a time. @throws {AppError} `session.unknown`, `storage.corrupt` */
  async *chained(id: SessionId): AsyncGenerator<ChainedEvent> {
    await this.require(id);
    yield* inParts((after, limit) => this.#store.readChained(id, after, limit));
  }

  /**
   * The state after everything the journal holds: from the saved copy, where there is one, and the records since.
   * @throws {AppError} `session.unknown`
   */
  async fold(id: SessionId): Promise<FoldedJournal> {
    const saved = stateFormat === null ? null : await this.#store.loadState(id, stateFormat);
    const savedSeq = saved?.seq ?? 0;
    const folding = new Folding(saved === null ? initialState : restoredState(saved));
    let seq = savedSeq;
    for await (const event of inParts((after, limit) => this.#store.read(id, Math.max(after, savedSeq), limit))) {
      folding.take(event.record);
      seq = event.seq;
    }
    if (seq === 0) throw unknownSession(id);
    return { seq, savedSeq, state: folding.state };
  }

  /**
   * The shape of a session without its long texts: what is under way in it, its turns, its tasks.
   * @param look  is handed each event, without them
   * @throws {AppError} `session.unknown`
   */
  async outline(id: SessionId, look: (event: SessionEvent) => void = () => {}): Promise<SessionState> {
    const folding = new Folding();
    for await (const event of this.events(id)) {
      const record = outlined(event.record);
      folding.take(record);
      look({ ...event, record });
    }
    return folding.state;
  }

  /**
   * What a session is opened with when its newest records do not follow on each other. It opens all the same: what can be read is
   * the user's, and only the user knows who changed it. Older records are for `doctor`, which reads them all.
   */
  async damage(id: SessionId): Promise<readonly NoticeRecord[]> {
    const problems = await this.#store.check(id, "newest");
    const first = problems.find(({ kind }) => kind !== "newer-version");
    if (first === undefined) return [];
    const text =
      `Session ${id} is not as Capstan wrote it: ${first.text}.` +
      ` Try \`capstan doctor ${id}\`: it says what is wrong, and with --repair keeps what is good.`;
    return [{ type: "notice", level: "warning", code: "session.damaged", text }];
  }

  /** Who writes to the session now; `null`: nobody, or a process that is gone. */
  async writer(id: SessionId): Promise<LeaseOwner | null> {
    const holder = await this.#store.holder(id);
    return holder === null || lookFor(holder.owner) === "gone" ? null : holder.owner;
  }

  /** Reads along while somebody writes: reports every event after this number, and ends when the writer has gone. */
  async follow(id: SessionId, seen: number, notify: (events: readonly SessionEvent[]) => void): Promise<void> {
    let after = seen;
    for (;;) {
      const isWritten = (await this.writer(id)) !== null;
      const events = await this.#store.read(id, after);
      after = events.at(-1)?.seq ?? after;
      notify(events);
      if (!isWritten) return;
      await sleep(followIntervalMs);
    }
  }

  /**
   * The full id for an id, a unique beginning of one, or a unique title.
   * @throws {AppError} `session.unknown`, `session.ambiguous`
   */
  async resolve(idOrName: string): Promise<SessionId> {
    if (idOrName === "") throw unknownSession(idOrName);
    if ((await this.#store.findIds(idOrName, 1))[0] === idOrName) return toSessionId(idOrName);
    const fitting = (await this.#store.list()).filter(({ id, title }) => id.startsWith(idOrName) || title === idOrName);
    const [only, another] = fitting;
    if (only === undefined) throw unknownSession(idOrName);
    if (another === undefined) return only.id;
    throw ambiguousSession(idOrName, fitting);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

/** A journal's state, its last number, and up to where a copy of the state is saved. */
export interface FoldedJournal {
  readonly seq: number;
  readonly savedSeq: number;
  readonly state: SessionState;
}

/** The format names the shape, and only what a session at rest saved under it is read. */
function restoredState({ state }: SavedState): SessionState {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this very version, and only a copy: the journal has the last word
  return state as SessionState;
}

function ambiguousSession(name: string, fitting: readonly SessionSummary[]): AppError {
  const text = candidatesText(fitting.map(({ id, title }) => ({ id, about: title })));
  const [first] = shortIds(fitting.map(({ id }) => id)).values();
  return new AppError("session.ambiguous", `${fitting.length} sessions fit ${JSON.stringify(name)}: ${text}`, {
    hint: `Try: capstan sessions show ${first ?? ""}`,
  });
}

function unknownSession(name: string): AppError {
  return new AppError("session.unknown", `no session has the id or name ${JSON.stringify(name)}`, {
    hint: "Try: capstan sessions list",
  });
}

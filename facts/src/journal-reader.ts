import { setImmediate as afterOthers } from "node:timers/promises";
import type { FactStore, SessionStore } from "@capstan/ports";
import type { SessionEvent, SessionId } from "@capstan/protocol";
import { maxSessionsRead, recordsAtOnce } from "./limits.ts";
import { continuesRequest, lastRequest, readFacts } from "./read-facts.ts";
import { passagesOf } from "./read-passages.ts";

/** The journals that facts are read out of. */
export type ReadJournals = Pick<SessionStore, "list" | "read" | "readBefore">;

interface Bounds {
  readonly signal?: AbortSignal;
  /** Pages of records; absent: as many as there are. */
  readonly maxReads?: number;
  /** A turn waits for it: how far pages went that hold no fact is stored by the reading after it. */
  readonly isWaitedFor?: boolean;
}

/**
 * Reads journals on from where they were last read, page by page, so that others have their turn in between. What a page held and how far
 * it went is stored at once: after a crash nothing is missing, and no fact is read twice.
 */
export class JournalReader {
  readonly #sessions: ReadJournals;
  readonly #facts: FactStore;
  /** What each session's user last asked for, so that a change on the next page is named after it. */
  readonly #requests = new Map<SessionId, string>();
  /** How far pages went that held no fact, where that is not stored yet. */
  readonly #through = new Map<SessionId, number>();
  #isStopped = false;

  constructor(sessions: ReadJournals, facts: FactStore) {
    this.#sessions = sessions;
    this.#facts = facts;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Facts of all sessions of a folder (`null`: of every folder), the newest session first. */
  async readFolder(cwd: string | null, { signal, maxReads = Infinity, isWaitedFor = false }: Bounds): Promise<void> {
    const sessions = (await this.#sessions.list()).filter((session) => cwd === null || session.cwd === cwd);
    let left = maxReads;
    for (const session of sessions.slice(0, maxSessionsRead)) {
      for (let more = true; more && left > 0 && !this.#isStopped; left -= more ? 1 : 0) {
        signal?.throwIfAborted();
        more = await this.#readFactsPage(session.id, session.cwd);
      }
    }
    if (!isWaitedFor) await this.#storeThrough();
  }

  /** The words of everything that was said in a session. */
  async readPassages(sessionId: SessionId, signal: AbortSignal): Promise<void> {
    for (let through = await this.#facts.passagesThrough(sessionId); !this.#isStopped;) {
      signal.throwIfAborted();
      const events = await this.#sessions.read(sessionId, through, recordsAtOnce);
      const last = events.at(-1);
      if (last === undefined) return;
      await this.#facts.addPassages(sessionId, events.flatMap(passagesOf), last.seq);
      through = last.seq;
      await afterOthers();
    }
  }

  async #storeThrough(): Promise<void> {
    for (const [sessionId, through] of this.#through) {
      if (this.#isStopped) return;
      await this.#facts.add([], { sessionId, through });
      this.#through.delete(sessionId);
    }
  }

  /** What was asked for when another process stopped reading here; looked for where something changes that belongs to it. */
  async #requestBefore(id: SessionId, through: number, events: readonly SessionEvent[]): Promise<string> {
    if (through === 0 || !continuesRequest(events)) return "";
    return lastRequest(await this.#sessions.readBefore(id, through + 1, recordsAtOnce)) ?? "";
  }

  /** @returns whether there was anything to read */
  async #readFactsPage(id: SessionId, cwd: string): Promise<boolean> {
    const through = this.#through.get(id) ?? (await this.#facts.readThrough(id));
    const events = await this.#sessions.read(id, through, recordsAtOnce);
    const last = events.at(-1);
    if (last === undefined) return false;
    const before = this.#requests.get(id) ?? (await this.#requestBefore(id, through, events));
    const { facts, request } = readFacts(events, { id, cwd, request: before });
    if (request !== "") this.#requests.set(id, request);
    if (facts.length > 0) {
      await this.#facts.add(facts, { sessionId: id, through: last.seq });
      this.#through.delete(id);
    } else this.#through.set(id, last.seq);
    await afterOthers();
    return true;
  }
}

import type { AppendBatch, SavedState, SessionStore } from "@capstan/ports";
import { AppError, deltaScope, needsFlush, type SessionEvent, supersededScope } from "@capstan/protocol";
import type { Gates } from "./gates.ts";
import type { Sabotage } from "./sabotage.ts";
import type { SimulatedWorld } from "./simulated-world.ts";

/** The disk: one session's journal, which outlives every process. */
export class SimulatedDisk {
  /** Everything that was committed, pruned deltas included, as they were given. */
  readonly #committed: SessionEvent[] = [];
  #flushed = 0;
  #generation = 0;
  #saved: SavedState | null = null;

  get last(): number {
    return this.#committed.length;
  }

  /** What a subscriber may have been shown as this number. */
  at(seq: number): SessionEvent | undefined {
    return this.#committed[seq - 1];
  }

  /** Without the deltas that something superseded. */
  kept(): readonly SessionEvent[] {
    const superseded = new Map<string, number>();
    for (const { seq, record } of this.#committed) {
      const scope = supersededScope(record);
      if (scope !== undefined) superseded.set(scope, seq);
    }
    return this.#committed.filter(({ seq, record }) => {
      const scope = deltaScope(record);
      return scope === undefined || seq > (superseded.get(scope) ?? 0);
    });
  }

  /** The next one becomes the only writer, whoever was it before. */
  claim(): number {
    this.#generation += 1;
    return this.#generation;
  }

  isWriter(generation: number): boolean {
    return generation === this.#generation;
  }

  /** The last saved state; one that a power cut has made too new counts no more. */
  get saved(): SavedState | null {
    return this.#saved !== null && this.#saved.seq <= this.last ? this.#saved : null;
  }

  save(saved: SavedState): void {
    // As JSON, which is what a file would hold.
    this.#saved = JSON.parse(JSON.stringify(saved));
  }

  commit({ after, at, records, flush, generation }: AppendBatch): readonly SessionEvent[] {
    if (generation !== this.#generation) throw new AppError("session.busy", "somebody else has become the writer");
    if (after !== this.last) throw new AppError("session.busy", `the last record is ${this.last}, not ${after}`);
    const events = records.map((record, index) => ({ seq: after + index + 1, at, record }));
    this.#committed.push(...events);
    if (flush) this.#flushed = this.last;
    return events;
  }

  /** The power fails: what was not flushed may be gone, from some record on. @param share  of it that stays */
  cutPower(share: number): void {
    // A copy of a state is no more durable than its journal.
    this.#saved = null;
    this.#committed.length = this.#flushed + Math.floor((this.last - this.#flushed) * share);
  }
}

/** How often an append fails, before and after it took effect. */
const failsBefore = 0.006;
const failsAfter = 0.003;

/** What a process sees of the disk. Only what the runtime uses is there: a journal of one session. */
export function openSimulatedStore(
  disk: SimulatedDisk,
  world: SimulatedWorld,
  gates: Gates,
  sabotage: Sabotage,
): SessionStore {
  const fail = (share: number, text: string): void => {
    if (!world.calm && world.random.happens(share)) throw new AppError("storage.full", text);
  };
  return {
    async append(_sessionId, batch) {
      if (needsFlush(batch.records, () => true) && !batch.flush)
        world.violations.push("an append that must reach the disk was not flushed");
      await gates.pass("append");
      fail(failsBefore, "no space left, nothing was written");
      const { keep } = sabotage;
      const events = disk.commit(keep === undefined ? batch : { ...batch, records: batch.records.map(keep) });
      await gates.pass("appended");
      fail(failsAfter, "no space left, though it was written");
      return keep === undefined
        ? events
        : events.map((event, index) => ({ ...event, record: batch.records[index] ?? event.record }));
    },
    read: async (_sessionId, after) => disk.kept().filter(({ seq }) => seq > after),
    async saveState(_sessionId, saved) {
      await gates.pass("save");
      fail(failsBefore, "no space left for a copy");
      disk.save(saved);
    },
    ...notSimulated(),
    grants: { add: async () => undefined, list: async () => [], remove: async () => false },
  };
}

/** What a runtime never asks of a store: other sessions, leases, checks. */
function notSimulated(): Omit<SessionStore, "append" | "read" | "saveState" | "grants"> {
  return {
    list: refuse,
    findIds: refuse,
    claim: refuse,
    renew: refuse,
    release: refuse,
    holder: refuse,
    loadState: refuse,
    readChained: refuse,
    check: refuse,
    restore: refuse,
    delete: refuse,
    readBefore: refuse,
    changedSince: refuse,
    saveDraft: refuse,
    draft: refuse,
    pendingInteractions: refuse,
    close: async () => undefined,
  };
}

function refuse(): Promise<never> {
  return Promise.reject(new AppError("internal.bug", "the simulation has one journal only"));
}

import {
  AppError,
  deltaScope,
  type Interaction,
  type JournalRecord,
  type SessionEvent,
  type SessionId,
  type SessionSummary,
  supersededScope,
} from "@capstan/protocol";
import type { AppendBatch, HeldLease, LeaseAnswer, LeaseClaim, SessionStore } from "@capstan/ports";

/** Everything a store can be asked for, as one value to compare. */
export interface StoreContents {
  readonly sessions: readonly SessionSummary[];
  readonly events: readonly (readonly [SessionId, readonly SessionEvent[]])[];
  readonly inbox: Awaited<ReturnType<SessionStore["pendingInteractions"]>>;
  /** Of the sessions that have records. */
  readonly holders: readonly (readonly [SessionId, HeldLease | null])[];
}

/** Asks a store for everything. */
export async function everything(store: SessionStore): Promise<StoreContents> {
  const sessions = await store.list();
  const ids = sessions.map((session) => session.id).toSorted();
  const events = await Promise.all(ids.map(async (id) => [id, await store.read(id, 0)] as const));
  const holders = await Promise.all(ids.map(async (id) => [id, await store.holder(id)] as const));
  return { sessions, events, inbox: await store.pendingInteractions(), holders };
}

/**
 * What a store must be indistinguishable from: every event ever appended, in an array, and every answer recomputed from
 * it. Too slow for use, too plain to be wrong.
 */
export class PlainSessionStore {
  readonly #sessions = new Map<SessionId, SessionEvent[]>();
  /** Every lease ever given out; the last one may be held. */
  readonly #leases = new Map<SessionId, { readonly all: readonly HeldLease[]; readonly isHeld: boolean }>();

  /** The last sequence number given out. */
  last(sessionId: SessionId): number {
    return this.#sessions.get(sessionId)?.at(-1)?.seq ?? 0;
  }

  /** The last generation given out. */
  generation(sessionId: SessionId): number {
    return this.#leases.get(sessionId)?.all.length ?? 0;
  }

  async append(sessionId: SessionId, batch: AppendBatch): Promise<readonly SessionEvent[]> {
    const mayWrite =
      batch.generation === undefined
        ? this.#holder(sessionId) === null
        : this.generation(sessionId) > 0 && batch.generation === this.generation(sessionId);
    if (!mayWrite || batch.after !== this.last(sessionId)) throw new AppError("session.busy", "not the only writer");
    const added = batch.records.map((record, index) => ({ seq: batch.after + index + 1, at: batch.at, record }));
    if (added.length > 0) this.#sessions.set(sessionId, [...(this.#sessions.get(sessionId) ?? []), ...added]);
    return added;
  }

  async claim(sessionId: SessionId, claim: LeaseClaim): Promise<LeaseAnswer> {
    const holder = this.#holder(sessionId);
    if (holder !== null && !claim.isGone(holder)) return { type: "held", holder };
    const generation = this.generation(sessionId) + 1;
    const lease = { owner: claim.owner, generation, beatMs: claim.beatMs, claimedAt: claim.at };
    this.#leases.set(sessionId, { all: [...(this.#leases.get(sessionId)?.all ?? []), lease], isHeld: true });
    return { type: "granted", generation };
  }

  async release(sessionId: SessionId, generation: number): Promise<void> {
    const leases = this.#leases.get(sessionId);
    if (leases?.all.length === generation) this.#leases.set(sessionId, { ...leases, isHeld: false });
  }

  async delete(sessionId: SessionId): Promise<void> {
    if (this.#holder(sessionId) !== null) throw new AppError("session.busy", "somebody writes");
    this.#sessions.delete(sessionId);
    this.#leases.delete(sessionId);
  }

  #holder(sessionId: SessionId): HeldLease | null {
    const leases = this.#leases.get(sessionId);
    return leases?.isHeld === true ? (leases.all.at(-1) ?? null) : null;
  }

  contents(): StoreContents {
    const journals = [...this.#sessions.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return {
      sessions: journals.map(([id, events]) => summaryOf(id, events)).toSorted(newestFirst),
      events: journals.map(([id, events]) => [id, events.filter((event) => isKept(event, events))] as const),
      inbox: journals
        .flatMap(([sessionId, events]) => pendingIn(events).map((pending) => ({ sessionId, ...pending })))
        .toSorted((a, b) => a.openedAt - b.openedAt),
      holders: journals.map(([id]) => [id, this.#holder(id)] as const),
    };
  }
}

function isKept(event: SessionEvent, events: readonly SessionEvent[]): boolean {
  const scope = deltaScope(event.record);
  return (
    scope === undefined || !events.some((later) => later.seq > event.seq && supersededScope(later.record) === scope)
  );
}

function summaryOf(id: SessionId, events: readonly SessionEvent[]): SessionSummary {
  const start = lastOf(events, "session-started");
  const configuration = lastOf(events, "session-configured")?.config.model;
  const turns = events.flatMap(({ record }) => (record.type === "turn-started" ? [record] : []));
  const outcome = outcomeOf(events);
  const forkedFrom = events.flatMap(({ record }) =>
    record.type === "session-started" && record.forkedFrom !== undefined ? [record.forkedFrom.sessionId] : [],
  );
  const waiting = pendingIn(events).length;
  return {
    id,
    title: givenTitle(events) ?? turns.map((turn) => titleOf(turn.content)).find((title) => title !== "") ?? "",
    cwd: start?.workspace.cwd ?? "",
    model: configuration === undefined ? "" : `${configuration.provider}/${configuration.id}`,
    createdAt: events[0]?.at ?? 0,
    updatedAt: events.at(-1)?.at ?? 0,
    turns: turns.length,
    ...(outcome === undefined ? {} : { lastOutcome: outcome }),
    ...(waiting === 0 ? {} : { waiting }),
    ...forkedFrom.slice(-1).reduce((_none, sessionId) => ({ forkedFrom: sessionId }), {}),
  };
}

/** A turn that has begun since takes it away. */
function outcomeOf(events: readonly SessionEvent[]): SessionSummary["lastOutcome"] {
  const last = events.findLast(({ record }) => record.type === "turn-started" || record.type === "turn-ended")?.record;
  return last?.type === "turn-ended" ? last.outcome : undefined;
}

/** The last title counts; an empty one gives the first words back. */
function givenTitle(events: readonly SessionEvent[]): string | undefined {
  const title = lineOf(lastOf(events, "session-titled")?.title ?? "");
  return title === "" ? undefined : title;
}

/** Good enough for plain text, which is all the properties use. */
function titleOf(content: Extract<JournalRecord, { readonly type: "turn-started" }>["content"]): string {
  return lineOf(content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"));
}

function lineOf(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return (lines.find((line) => line !== "") ?? "").slice(0, 80).trim();
}

function pendingIn(events: readonly SessionEvent[]): readonly { openedAt: number; interaction: Interaction }[] {
  return events.flatMap(({ seq, at, record }) => {
    if (record.type !== "interaction-opened") return [];
    const { id } = record.interaction;
    const isOver = events.some(
      (later) =>
        later.seq > seq &&
        ((later.record.type === "interaction-resolved" && later.record.interactionId === id) ||
          (later.record.type === "interaction-opened" && later.record.interaction.id === id)),
    );
    return isOver ? [] : [{ openedAt: at, interaction: record.interaction }];
  });
}

type RecordOf<Type extends JournalRecord["type"]> = Extract<JournalRecord, { readonly type: Type }>;

function lastOf<Type extends JournalRecord["type"]>(
  events: readonly SessionEvent[],
  type: Type,
): RecordOf<Type> | undefined {
  const isOfType = (record: JournalRecord): record is RecordOf<Type> => record.type === type;
  return events.map((event) => event.record).findLast(isOfType);
}

function newestFirst(a: SessionSummary, b: SessionSummary): number {
  if (a.updatedAt !== b.updatedAt) return b.updatedAt - a.updatedAt;
  return a.id < b.id ? 1 : -1;
}

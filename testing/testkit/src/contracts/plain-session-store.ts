import {
  deltaScope,
  type Interaction,
  type JournalRecord,
  type SessionEvent,
  type SessionId,
  type SessionSummary,
  supersededScope,
} from "@capstan/protocol";
import type { AppendBatch, SessionStore } from "@capstan/ports";

/** Everything a store can be asked for, as one value to compare. */
export interface StoreContents {
  readonly sessions: readonly SessionSummary[];
  readonly events: readonly (readonly [SessionId, readonly SessionEvent[]])[];
  readonly inbox: Awaited<ReturnType<SessionStore["pendingInteractions"]>>;
}

/** Asks a store for everything. */
export async function everything(store: SessionStore): Promise<StoreContents> {
  const sessions = await store.list();
  const ids = sessions.map((session) => session.id).toSorted();
  const events = await Promise.all(ids.map(async (id) => [id, await store.read(id, 0)] as const));
  return { sessions, events, inbox: await store.pendingInteractions() };
}

/**
 * What a store must be indistinguishable from: every event ever appended, in an array, and every answer worked out anew from
 * it. Too slow for use, too plain to be wrong.
 */
export class PlainSessionStore {
  readonly #sessions = new Map<SessionId, SessionEvent[]>();

  /** The last number given out. */
  last(sessionId: SessionId): number {
    return this.#sessions.get(sessionId)?.at(-1)?.seq ?? 0;
  }

  /** @param batch  with the right `after` */
  append(sessionId: SessionId, batch: AppendBatch): readonly SessionEvent[] {
    const added = batch.records.map((record, index) => ({ seq: batch.after + index + 1, at: batch.at, record }));
    if (added.length > 0) this.#sessions.set(sessionId, [...(this.#sessions.get(sessionId) ?? []), ...added]);
    return added;
  }

  delete(sessionId: SessionId): void {
    this.#sessions.delete(sessionId);
  }

  contents(): StoreContents {
    const journals = [...this.#sessions.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return {
      sessions: journals.map(([id, events]) => summaryOf(id, events)).toSorted(newestFirst),
      events: journals.map(([id, events]) => [id, events.filter((event) => isKept(event, events))] as const),
      inbox: journals
        .flatMap(([sessionId, events]) => pendingIn(events).map((pending) => ({ sessionId, ...pending })))
        .toSorted((a, b) => a.openedAt - b.openedAt),
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
  const outcome = lastOf(events, "turn-ended")?.outcome;
  const forkedFrom = events.flatMap(({ record }) =>
    record.type === "session-started" && record.forkedFrom !== undefined ? [record.forkedFrom.sessionId] : [],
  );
  return {
    id,
    title: turns.map((turn) => titleOf(turn.content)).find((title) => title !== "") ?? "",
    cwd: start?.workspace.cwd ?? "",
    model: configuration === undefined ? "" : `${configuration.provider}/${configuration.id}`,
    createdAt: events[0]?.at ?? 0,
    updatedAt: events.at(-1)?.at ?? 0,
    turns: turns.length,
    ...(outcome === undefined ? {} : { lastOutcome: outcome }),
    ...forkedFrom.slice(-1).reduce((_none, sessionId) => ({ forkedFrom: sessionId }), {}),
  };
}

/** Good enough for plain text, which is all the properties use. */
function titleOf(content: Extract<JournalRecord, { readonly type: "turn-started" }>["content"]): string {
  const lines = content.flatMap((part) => (part.type === "text" ? part.text.split("\n") : []));
  return (lines.map((line) => line.trim()).find((line) => line !== "") ?? "").slice(0, 80).trim();
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

import {
  AppError,
  deltaScope,
  type Interaction,
  type InteractionId,
  type SessionEvent,
  type SessionId,
  type SessionSummary,
  supersededScope,
} from "@capstan/protocol";
import type { AppendBatch, SessionStore } from "@capstan/ports";
import { type InboxChange, type IndexChanges, projectIndex } from "../index-projection.ts";

/** A store that forgets everything with the process: for tests, and for runs that are to leave no trace. */
export function createMemoryStore(): SessionStore {
  const sessions = new Map<SessionId, StoredSession>();
  let isClosed = false;
  const open = (): Map<SessionId, StoredSession> => {
    if (isClosed) throw new AppError("storage.unavailable", "the store is closed");
    return sessions;
  };
  return {
    append: async (sessionId, batch) => append(open(), sessionId, batch),
    read: async (sessionId, after) => (open().get(sessionId)?.events ?? []).filter((event) => event.seq > after),
    list: async () => [...open().values()].map((session) => session.summary).toSorted(newestFirst),
    findIds: async (prefix, limit) => {
      const found = [...open().keys()].filter((id) => id.startsWith(prefix)).toSorted(ascending);
      return found.slice(0, Math.max(0, limit));
    },
    delete: async (sessionId) => {
      open().delete(sessionId);
    },
    pendingInteractions: async () =>
      [...open().entries()]
        .toSorted(([a], [b]) => ascending(a, b))
        .flatMap(([sessionId, { inbox }]) => [...inbox.values()].map((pending) => ({ sessionId, ...pending })))
        .toSorted((a, b) => a.openedAt - b.openedAt),
    close: async () => {
      isClosed = true;
      sessions.clear();
    },
  };
}

interface StoredSession {
  readonly summary: SessionSummary;
  /** Grows in place: copying it with every append would make a long stream quadratic. */
  readonly events: SessionEvent[];
  readonly lastSeq: number;
  /** In the order of opening. */
  readonly inbox: ReadonlyMap<InteractionId, PendingInteraction>;
}

interface PendingInteraction {
  readonly openedAt: number;
  readonly interaction: Interaction;
}

function append(
  sessions: Map<SessionId, StoredSession>,
  sessionId: SessionId,
  batch: AppendBatch,
): readonly SessionEvent[] {
  const stored = sessions.get(sessionId) ?? emptySession(sessionId, batch.at);
  if (stored.lastSeq !== batch.after) {
    throw new AppError("session.busy", `session ${sessionId}: somebody else wrote to it`);
  }
  const events = batch.records.map((record, index) => ({ seq: batch.after + index + 1, at: batch.at, record }));
  if (events.length === 0) return [];
  const changes = projectIndex(batch.records);
  sessions.set(sessionId, {
    lastSeq: batch.after + events.length,
    summary: summarise(stored.summary, changes, batch.at),
    inbox: changes === undefined ? stored.inbox : changes.inbox.reduce(inboxAt(batch.at), stored.inbox),
    events: stored.events,
  });
  for (const event of events) add(stored.events, event);
  return events;
}

function emptySession(id: SessionId, at: number): StoredSession {
  const summary = { id, title: "", cwd: "", model: "", createdAt: at, updatedAt: at, turns: 0 };
  return { summary, events: [], lastSeq: 0, inbox: new Map() };
}

function add(events: SessionEvent[], event: SessionEvent): void {
  const scope = supersededScope(event.record);
  if (scope !== undefined) {
    const kept = events.filter((earlier) => deltaScope(earlier.record) !== scope);
    if (kept.length < events.length) events.splice(0, events.length, ...kept);
  }
  events.push(event);
}

function summarise(summary: SessionSummary, changes: IndexChanges | undefined, at: number): SessionSummary {
  if (changes === undefined) return { ...summary, updatedAt: at };
  const { inbox: _inbox, turnsStarted, title, ...replaced } = changes;
  return {
    ...summary,
    ...replaced,
    title: summary.title === "" ? (title ?? "") : summary.title,
    turns: summary.turns + turnsStarted,
    updatedAt: at,
  };
}

type Inbox = StoredSession["inbox"];

function inboxAt(openedAt: number): (inbox: Inbox, change: InboxChange) => Inbox {
  return (inbox, change) => {
    const next = new Map(inbox);
    next.delete(change.type === "opened" ? change.interaction.id : change.interactionId);
    if (change.type === "opened") next.set(change.interaction.id, { openedAt, interaction: change.interaction });
    return next;
  };
}

function newestFirst(a: SessionSummary, b: SessionSummary): number {
  return b.updatedAt - a.updatedAt || ascending(b.id, a.id);
}

function ascending(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

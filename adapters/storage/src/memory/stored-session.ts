import type { AppendBatch, ChainedEvent, PendingInteraction } from "@capstan/ports";
import {
  AppError,
  deltaScope,
  type Interaction,
  type InteractionId,
  type JsonObject,
  type SessionEvent,
  type SessionId,
  type SessionSummary,
  storedRecord,
  supersededScope,
} from "@capstan/protocol";
import { assertRising } from "../assert-rising.ts";
import { firstLink, nextLink } from "../chain.ts";
import { type InboxChange, type IndexChanges, projectIndex } from "../index-projection.ts";
import { assertWriter, type StoredLease } from "../stored-lease.ts";

/** A session as the memory store holds it. */
export interface StoredSession {
  /** Its title is that of its first words; `summaryOf` is what is shown. */
  readonly summary: SessionSummary;
  /** Empty: no user has given it one. */
  readonly givenTitle: string;
  /** Grows in place: copying it with every append would make a long stream quadratic. */
  readonly events: SessionEvent[];
  readonly lastSeq: number;
  /** In the order of opening. */
  readonly inbox: ReadonlyMap<InteractionId, InboxEntry>;
}

interface InboxEntry {
  readonly openedAt: number;
  readonly interaction: Interaction;
}

/**
 * The session after a batch, and what the batch became.
 * @throws {AppError} `session.busy` when the batch's lease or its last number is not the session's
 */
export function append(
  known: StoredSession | undefined,
  {
    sessionId,
    batch,
    lease,
  }: { readonly sessionId: SessionId; readonly batch: AppendBatch; readonly lease: StoredLease | undefined },
): { readonly session: StoredSession; readonly events: readonly SessionEvent[] } {
  assertWriter(sessionId, lease, batch.generation);
  const session = known ?? emptySession(sessionId, batch.at);
  if (session.lastSeq !== batch.after) {
    throw new AppError("session.busy", `session ${sessionId}: somebody else wrote to it`);
  }
  const events = batch.records.map((record, index) => ({ seq: batch.after + index + 1, at: batch.at, record }));
  return { session: withEvents(session, events), events };
}

/** @returns `undefined` for a journal without events @throws {AppError} `storage.corrupt` when the numbers do not rise */
export function restored(sessionId: SessionId, events: readonly SessionEvent[]): StoredSession | undefined {
  assertRising(sessionId, events);
  const [first] = events;
  return first === undefined ? undefined : withEvents(emptySession(sessionId, first.at), events);
}

/** The session's line in a list. */
export function summaryOf({ summary, givenTitle, inbox }: StoredSession): SessionSummary {
  return {
    ...summary,
    ...(givenTitle === "" ? {} : { title: givenTitle }),
    ...(inbox.size === 0 ? {} : { waiting: inbox.size }),
  };
}

/** What waits in the session, in the order of opening. */
export function pendingIn({ summary, inbox }: StoredSession): readonly PendingInteraction[] {
  return [...inbox.values()].map((entry) => ({ sessionId: summary.id, ...entry }));
}

/** Events with their links. */
export function chained(events: readonly SessionEvent[]): readonly ChainedEvent[] {
  let link = firstLink;
  return events.map((event) => {
    const body = JSON.stringify(storedRecord(event.record));
    const stored: JsonObject = JSON.parse(body);
    if (deltaScope(event.record) !== undefined) return { ...event, hash: null, stored };
    link = nextLink(link, { ...event, body });
    return { ...event, hash: link, stored };
  });
}

function emptySession(id: SessionId, at: number): StoredSession {
  const summary = { id, title: "", cwd: "", model: "", createdAt: at, updatedAt: at, turns: 0 };
  return { summary, givenTitle: "", events: [], lastSeq: 0, inbox: new Map() };
}

function withEvents(session: StoredSession, events: readonly SessionEvent[]): StoredSession {
  const last = events.at(-1);
  if (last === undefined) return session;
  const changes = projectIndex(events);
  for (const event of events) add(session.events, event);
  return {
    events: session.events,
    lastSeq: last.seq,
    givenTitle: changes?.givenTitle ?? session.givenTitle,
    summary: summarise(session.summary, changes, last.at),
    inbox: changes === undefined ? session.inbox : changes.inbox.reduce(changeInbox, session.inbox),
  };
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
  const { inbox: _inbox, turnsStarted, firstWords = "", givenTitle: _given, lastOutcome, ...replaced } = changes;
  const { lastOutcome: earlier, ...rest } = summary;
  const outcome = lastOutcome === undefined ? earlier : lastOutcome;
  return {
    ...rest,
    ...replaced,
    ...(outcome === undefined || outcome === null ? {} : { lastOutcome: outcome }),
    title: summary.title === "" ? firstWords : summary.title,
    turns: summary.turns + turnsStarted,
    updatedAt: at,
  };
}

type Inbox = StoredSession["inbox"];

function changeInbox(inbox: Inbox, change: InboxChange): Inbox {
  const next = new Map(inbox);
  next.delete(change.type === "opened" ? change.interaction.id : change.interactionId);
  if (change.type === "opened") {
    next.set(change.interaction.id, { openedAt: change.at, interaction: change.interaction });
  }
  return next;
}

import type { Grants, SavedState, SessionStore } from "@capstan/ports";
import { AppError, type Draft, type Grant, type SessionId } from "@capstan/protocol";
import { alreadyStored } from "../assert-rising.ts";
import { answerClaim, assertFree, holderOf, type StoredLease } from "../stored-lease.ts";
import { assertDraftFits } from "../draft-size.ts";
import { projectIndex } from "../index-projection.ts";
import { maxDrafts } from "../limits.ts";
import { ChangeLog } from "./change-log.ts";
import { append, chained, pendingIn, restored, type StoredSession, summaryOf } from "./stored-session.ts";

/** A store that forgets everything with the process: for tests, and for runs that are to leave no trace. */
export function createMemoryStore(): SessionStore {
  const content: Content = {
    sessions: new Map(),
    leases: new Map(),
    states: new Map(),
    drafts: new Map(),
    grants: new Map(),
  };
  const changes = new ChangeLog();
  let isClosed = false;
  const open = (): Content => {
    if (isClosed) throw new AppError("storage.unavailable", "the store is closed");
    return content;
  };
  return {
    ...journalMethods(open, changes),
    ...leaseMethods(open),
    ...stateMethods(open),
    ...draftMethods(open),
    changedSince: async (cursor) => changes.since(cursor, open().sessions),
    grants: grantMethods(open),
    delete: async (sessionId) => {
      const { sessions, leases, states, drafts } = open();
      assertFree(sessionId, leases.get(sessionId));
      if (sessions.has(sessionId)) changes.note(sessionId);
      for (const map of [sessions, leases, states, drafts]) map.delete(sessionId);
    },
    close: async () => {
      isClosed = true;
      for (const map of Object.values(content)) map.clear();
    },
  };
}

interface Content {
  readonly sessions: Map<SessionId, StoredSession>;
  readonly leases: Map<SessionId, StoredLease>;
  /** As JSON, so that what is loaded is nobody else's. */
  readonly states: Map<SessionId, { readonly seq: number; readonly format: string; readonly body: string }>;
  /** Oldest first. */
  /** By user, the oldest first. */
  readonly drafts: Map<SessionId, ReadonlyMap<string, Draft>>;
  readonly grants: Map<string, Grant>;
}

type Methods<Name extends keyof SessionStore> = Pick<SessionStore, Name>;
type JournalMethod =
  | "append"
  | "read"
  | "readBefore"
  | "readChained"
  | "check"
  | "restore"
  | "list"
  | "findIds"
  | "pendingInteractions";

function journalMethods(open: () => Content, changes: ChangeLog): Methods<JournalMethod> {
  return {
    append: async (sessionId, batch) => {
      const { sessions, leases } = open();
      const known = sessions.get(sessionId);
      const { session, events } = append(known, { sessionId, batch, lease: leases.get(sessionId) });
      if (events.length === 0) return events;
      sessions.set(sessionId, session);
      if (known === undefined || projectIndex(events) !== undefined) changes.note(sessionId);
      return events;
    },
    read: async (sessionId, after, limit) =>
      (open().sessions.get(sessionId)?.events ?? []).filter((event) => event.seq > after).slice(0, limit),
    readBefore: async (sessionId, before, limit) =>
      (open().sessions.get(sessionId)?.events ?? [])
        .filter((event) => event.seq < (before ?? Infinity))
        .slice(-Math.max(1, limit)),
    readChained: async (sessionId, after = 0, limit) =>
      chained(open().sessions.get(sessionId)?.events ?? [])
        .filter((event) => event.seq > after)
        .slice(0, limit),
    // Nothing lies anywhere that could be damaged, and the links are worked out when they are asked for.
    check: async () => {
      open();
      return [];
    },
    restore: async (sessionId, events) => {
      const { sessions, leases, states } = open();
      const session = restored(sessionId, [...events]);
      assertFree(sessionId, leases.get(sessionId));
      if (sessions.has(sessionId)) throw alreadyStored(sessionId);
      if (session === undefined) return;
      sessions.set(sessionId, session);
      changes.note(sessionId);
      states.delete(sessionId);
    },
    list: async () => [...open().sessions.values()].map(summaryOf).toSorted(newestFirst),
    findIds: async (prefix, limit) => {
      const found = [...open().sessions.keys()].filter((id) => id.startsWith(prefix)).toSorted(ascending);
      return found.slice(0, Math.max(0, limit));
    },
    pendingInteractions: async () =>
      [...open().sessions.values()]
        .toSorted((a, b) => ascending(a.summary.id, b.summary.id))
        .flatMap(pendingIn)
        .toSorted((a, b) => a.openedAt - b.openedAt),
  };
}

function leaseMethods(open: () => Content): Methods<"claim" | "renew" | "release" | "holder"> {
  const own = (sessionId: SessionId, generation: number): StoredLease | undefined => {
    const lease = open().leases.get(sessionId);
    return lease?.isHeld === true && lease.generation === generation ? lease : undefined;
  };
  return {
    claim: async (sessionId, claim) => {
      const { leases } = open();
      const answer = answerClaim(leases.get(sessionId), claim);
      if (answer.type === "granted") {
        const { owner, beatMs, at: claimedAt } = claim;
        leases.set(sessionId, { owner, generation: answer.generation, beatMs, claimedAt, isHeld: true });
      }
      return answer;
    },
    renew: async (sessionId, generation, beatMs) => {
      const lease = own(sessionId, generation);
      if (lease !== undefined) open().leases.set(sessionId, { ...lease, beatMs });
      return lease !== undefined;
    },
    release: async (sessionId, generation) => {
      const lease = own(sessionId, generation);
      if (lease !== undefined) open().leases.set(sessionId, { ...lease, isHeld: false });
    },
    holder: async (sessionId) => holderOf(open().leases.get(sessionId)),
  };
}

function stateMethods(open: () => Content): Methods<"saveState" | "loadState"> {
  return {
    saveState: async (sessionId, { seq, format, state }) => {
      const { sessions, states } = open();
      const last = sessions.get(sessionId)?.lastSeq ?? -1;
      if (seq <= last) states.set(sessionId, { seq, format, body: JSON.stringify(state) });
    },
    loadState: async (sessionId, format) => {
      const saved = open().states.get(sessionId);
      if (saved?.format !== format) return null;
      const loaded: SavedState = { seq: saved.seq, format, state: JSON.parse(saved.body) };
      return loaded;
    },
  };
}

function draftMethods(open: () => Content): Methods<"saveDraft" | "draft"> {
  return {
    saveDraft: async (sessionId, user, draft) => {
      assertDraftFits(draft);
      const { sessions, drafts } = open();
      if (!sessions.has(sessionId)) return;
      const kept = [...(drafts.get(sessionId) ?? [])].filter(([owner]) => owner !== user);
      if (draft !== null) kept.push([user, draft]);
      const newest = kept.toSorted(([, a], [, b]) => a.at - b.at).slice(-maxDrafts);
      drafts.set(sessionId, new Map(newest));
    },
    draft: async (sessionId, user) => open().drafts.get(sessionId)?.get(user) ?? null,
  };
}

function grantMethods(open: () => Content): Grants {
  return {
    add: async (grant) => {
      const { grants } = open();
      if (!grants.has(grant.id)) grants.set(grant.id, grant);
    },
    list: async () => [...open().grants.values()].toSorted((a, b) => a.grantedAt - b.grantedAt),
    remove: async (id) => open().grants.delete(id),
  };
}

function newestFirst(a: StoredSession["summary"], b: StoredSession["summary"]): number {
  return b.updatedAt - a.updatedAt || ascending(b.id, a.id);
}

function ascending(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

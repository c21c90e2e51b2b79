import type { SessionId, SessionSummary } from "@capstan/protocol";

type Related = Pick<SessionSummary, "id" | "spawnedBy">;

/** The sessions that one works for, the nearest first. */
export function callersOf(id: SessionId, all: ReadonlyMap<SessionId, Related>): readonly SessionId[] {
  const callers: SessionId[] = [];
  for (let by = all.get(id)?.spawnedBy; by !== undefined; by = all.get(by.sessionId)?.spawnedBy) {
    // A file that was imported could say that two work for each other.
    if (callers.includes(by.sessionId)) break;
    callers.push(by.sessionId);
  }
  return callers;
}

/** The sessions that work for one, each behind the one that called it. */
export function agentsOf(id: SessionId, all: readonly Related[]): readonly SessionId[] {
  const found = [id];
  for (const caller of found) {
    const called = all.filter((one) => one.spawnedBy?.sessionId === caller && !found.includes(one.id));
    found.push(...called.map((one) => one.id));
  }
  return found.slice(1);
}

import type { Chance, Clock, SessionStore } from "@capstan/ports";
import type { SessionId } from "@capstan/protocol";
import { SessionLease } from "../session/session-lease.ts";

/**
 * Removes a session for good, unless somebody works in it.
 * @throws {AppError} `session.busy`
 */
export async function deleteSession(
  store: SessionStore,
  sessionId: SessionId,
  { clock, chance }: { readonly clock: Clock; readonly chance: Chance },
): Promise<void> {
  const lease = await SessionLease.claim({ store, clock, sessionId, id: chance.id(), frontend: "delete" });
  await lease.release();
  await store.delete(sessionId);
}

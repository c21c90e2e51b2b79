import type { Chance, Clock, SessionStore } from "@capstan/ports";
import type { SessionId } from "@capstan/protocol";
import { SessionLease } from "../session/session-lease.ts";

/**
 * Removes a session for good, unless somebody works in it.
 * @param confirm  asked while nobody else can begin to work in it; false: it stays
 * @returns whether it was removed
 * @throws {AppError} `session.busy`
 */
export async function deleteSession(
  store: SessionStore,
  sessionId: SessionId,
  {
    clock,
    chance,
    confirm,
  }: { readonly clock: Clock; readonly chance: Chance; readonly confirm: () => Promise<boolean> },
): Promise<boolean> {
  const lease = await SessionLease.claim({ store, clock, sessionId, id: chance.id(), frontend: "delete" });
  let confirmed = false;
  try {
    confirmed = await confirm();
  } finally {
    await lease.release();
  }
  if (confirmed) await store.delete(sessionId);
  return confirmed;
}

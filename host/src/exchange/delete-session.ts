import type { Chance, Clock, SessionStore } from "@capstan/ports";
import { removeLeftovers } from "@capstan/checkpoints";
import type { SessionId } from "@capstan/protocol";
import { prepareDataDirectory } from "@capstan/settings";
import { deleteFromBackups } from "@capstan/storage";
import { SessionLease } from "../session/session-lease.ts";

/**
 * Removes a session for good, unless somebody works in it: also from the copies of the database that were made before migrations
 * and repairs. What killed writes have left among the kept files goes, too.
 * @param home  the data directory
 * @throws {AppError} `session.busy`; `storage.failed` names the copies that still hold it
 */
export async function deleteSession(
  store: SessionStore,
  sessionId: SessionId,
  { home, clock, chance }: { readonly home: string; readonly clock: Clock; readonly chance: Chance },
): Promise<void> {
  const lease = await SessionLease.claim({ store, clock, sessionId, id: chance.id(), frontend: "delete" });
  await lease.release();
  await store.delete(sessionId);
  const data = await prepareDataDirectory(home);
  await removeLeftovers(data.checkpoints, clock.now());
  deleteFromBackups(data.backups, sessionId);
}

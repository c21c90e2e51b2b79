import { rm } from "node:fs/promises";
import { agentsOf } from "@capstan/agents";
import type { Chance, Clock, SessionStore } from "@capstan/ports";
import { removeLeftovers } from "@capstan/checkpoints";
import type { SessionId } from "@capstan/protocol";
import { prepareDataDirectory } from "@capstan/settings";
import { deleteFromBackups } from "@capstan/storage";
import { spillFolder } from "@capstan/tools";
import { SessionLease } from "../session/session-lease.ts";

/**
 * Removes a session for good, with those of its agents, unless somebody works in one of them: also from the copies of the database that were made before migrations
 * and repairs. The output of its commands that was kept, and what killed
 * writes have left among the kept files, go, too.
 * @param parts  `home`: the data directory
 * @returns what was deleted
 * @throws {AppError} `session.busy`; `storage.failed` names the copies that still hold it
 */
export async function deleteSession(
  store: SessionStore,
  sessionId: SessionId,
  parts: { readonly home: string; readonly clock: Clock; readonly chance: Chance },
): Promise<readonly SessionId[]> {
  // Those of agents first: what is left after a kill is found by its caller, and goes with it the next time.
  const all = [sessionId, ...agentsOf(sessionId, await store.list())].toReversed();
  for (const id of all) await deleteOne(store, id, parts);
  return all;
}

async function deleteOne(
  store: SessionStore,
  sessionId: SessionId,
  { home, clock, chance }: { readonly home: string; readonly clock: Clock; readonly chance: Chance },
): Promise<void> {
  const lease = await SessionLease.claim({ store, clock, sessionId, id: chance.id(), frontend: "delete" });
  await lease.release();
  await store.delete(sessionId);
  const data = await prepareDataDirectory(home);
  await rm(spillFolder(data.spill, { sessionId }), { recursive: true, force: true });
  await removeLeftovers(data.checkpoints, clock.now());
  deleteFromBackups(data.backups, sessionId);
}

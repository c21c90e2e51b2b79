import type { Chance, SessionStore } from "@capstan/ports";
import { AppError, type Origin, type SessionId, toSessionId } from "@capstan/protocol";
import { copiedRecords } from "@capstan/importers";

/**
 * Copies a session as it is now under a new id, in its own workspace. What is in flight stays in the original; the copy begins at rest.
 * @throws {AppError} `session.unknown`, `storage.*`
 */
export async function forkSession(
  store: SessionStore,
  id: SessionId,
  made: { readonly chance: Chance; readonly origin: Origin; readonly version: string },
): Promise<SessionId> {
  const events = await store.read(id, 0);
  const [first, last] = [events[0], events.at(-1)];
  if (first?.record.type !== "session-started" || last === undefined) {
    throw new AppError("storage.corrupt", `session ${id}: its journal lacks its first record`, {
      hint: `\`capstan doctor ${id}\` says more.`,
    });
  }
  const sessionId = toSessionId(made.chance.id());
  const { workspace } = first.record;
  const { origin, version } = made;
  const forkedFrom = { sessionId: id, seq: last.seq };
  const started = { type: "session-started", sessionId, workspace, origin, version, forkedFrom } as const;
  const records = copiedRecords(events, started, origin);
  await store.append(sessionId, { after: 0, at: last.at, records, flush: true });
  return sessionId;
}

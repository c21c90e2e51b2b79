import { join } from "node:path";
import type { Chance, Clock, JournalProblem, SessionStore } from "@capstan/ports";
import { AppError, type SessionEvent, type SessionId, toSessionId } from "@capstan/protocol";
import { backUpDatabase, salvageJournal } from "@capstan/storage";
import type { DataDirectory } from "@capstan/settings";
import { closedJournal } from "./close-journal.ts";

/** What a repair made. */
export interface Repair {
  /** The new session; the damaged one stays as it is. */
  readonly sessionId: SessionId;
  /** The copy of the database that was made first. */
  readonly backup: string;
  readonly keptRecords: number;
  /** Why the beginning ends where it ends; `null`: the whole journal was good. */
  readonly problem: string | null;
}

/**
 * Makes a new session of the longest good beginning of a damaged one, with everything open closed, after the whole database
 * was copied. Nothing is repaired in place.
 * @throws {AppError} `storage.corrupt` when not even the beginning is good; `storage.newer-version` when a later Capstan wrote
 *   what follows, which is no damage; `storage.*`
 */
export async function repairSession(
  { store, data }: { readonly store: SessionStore; readonly data: DataDirectory },
  id: SessionId,
  { clock, chance, version }: { readonly clock: Clock; readonly chance: Chance; readonly version: string },
): Promise<Repair> {
  assertKnown(salvageJournal(data.database, id).problem, id);
  const now = clock.now();
  const backup = backUp(data, { now, chance });
  const { events, problem } = salvageJournal(data.database, id);
  const [first] = events;
  if (first?.record.type !== "session-started") {
    throw new AppError(
      "storage.corrupt",
      `session ${id}: not even its first record is good: ${problem?.text ?? "it is missing"}`,
      {
        hint: `A copy of the database was made: ${backup}. Older ones may lie beside it.`,
      },
    );
  }
  const sessionId = toSessionId(chance.id());
  const forkedFrom = { sessionId: id, seq: events.at(-1)?.seq ?? 0 };
  const started: SessionEvent = { ...first, record: { ...first.record, sessionId, version, forkedFrom } };
  await store.restore(sessionId, closedJournal([started, ...events.slice(1)], now));
  return { sessionId, backup, keptRecords: events.length, problem: problem?.text ?? null };
}

/** @returns where the copy of the whole database is */
export function backUp(
  data: DataDirectory,
  { now, chance }: { readonly now: number; readonly chance: Chance },
): string {
  const time = new Date(now).toISOString().replaceAll(/[-:.]/g, "");
  const backup = join(data.backups, `capstan-before-repair-${time}-${chance.id().slice(-4)}.db`);
  backUpDatabase(data.database, backup);
  return backup;
}

/** A copy without what this Capstan does not know yet would lose it. */
function assertKnown(problem: JournalProblem | null, id: SessionId): void {
  if (problem?.kind !== "newer-version") return;
  throw new AppError("storage.newer-version", `session ${id}: ${problem.text}`, {
    hint: "Update Capstan: nothing is damaged. Nothing was changed.",
  });
}

import { existsSync } from "node:fs";
import { type JournalStatistics, readStatistics } from "@capstan/storage";
import { openSessions } from "../exchange/open-sessions.ts";
import { SessionArchive } from "../session/session-archive.ts";
import { prepareDataDirectory } from "@capstan/settings";

/** What the journals hold, session by session and in all. */
export interface StatisticsReport {
  readonly sessions: readonly JournalStatistics[];
  readonly total: Omit<JournalStatistics, "sessionId" | "isCold"> & { readonly sessions: number };
}

/**
 * Counts what is stored, and changes nothing.
 * @param idOrPrefix  of this session alone
 * @throws {AppError} `session.*` for a session that is not there, `storage.*`
 */
export async function sessionStatistics(home: string, idOrPrefix?: string): Promise<StatisticsReport> {
  const { database } = await prepareDataDirectory(home);
  if (!existsSync(database) && idOrPrefix === undefined) return reportOf([]);
  // Opened as a run would: a database of an older version is brought to today's first.
  const { store } = await openSessions(home);
  try {
    const only = idOrPrefix === undefined ? undefined : await new SessionArchive(store).resolve(idOrPrefix);
    return reportOf(readStatistics(database, only));
  } finally {
    await store.close();
  }
}

function reportOf(sessions: readonly JournalStatistics[]): StatisticsReport {
  const sum = (field: keyof Omit<JournalStatistics, "sessionId" | "isCold">): number =>
    sessions.reduce((total, session) => total + session[field], 0);
  const total = {
    sessions: sessions.length,
    records: sum("records"),
    pendingPieces: sum("pendingPieces"),
    openSteps: sum("openSteps"),
    callsWithoutOutcome: sum("callsWithoutOutcome"),
    unreadable: sum("unreadable"),
    bytes: sum("bytes"),
    coldBytes: sum("coldBytes"),
  };
  return { sessions, total };
}

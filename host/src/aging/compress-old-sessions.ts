import { existsSync } from "node:fs";
import { prepareDataDirectory } from "@capstan/settings";
import { compressSessions, type CompressionStep, shrinkDatabase } from "@capstan/storage";
import { openSessions } from "../exchange/open-sessions.ts";

/**
 * Compresses the sessions in which nothing has happened since `before` (ms since 1970), and makes the database smaller by what that frees.
 * @returns each of them with what became of it, the oldest first
 * @throws {AppError} `storage.*`
 */
export async function compressOldSessions(home: string, before: number): Promise<readonly CompressionStep[]> {
  const { database } = await prepareDataDirectory(home);
  if (!existsSync(database)) return [];
  // Opened as a run would: a database of an older version is brought to today's first.
  const { store } = await openSessions(home);
  await store.close();
  let blocks = 0;
  const ended: CompressionStep[] = [];
  for (const step of compressSessions(database, before)) {
    if (step.state === "more") blocks += 1;
    else ended.push(step);
  }
  if (blocks > 0) shrinkDatabase(database);
  return ended;
}

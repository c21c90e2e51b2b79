import type { SessionStore } from "@capstan/ports";
import { openSqliteStore } from "@capstan/storage";
import { type DataDirectory, prepareDataDirectory } from "../data-dir.ts";

/** The store of a data directory, for commands that look at sessions without running any. Whoever opens it closes it. */
export async function openStore(home: string): Promise<{ readonly store: SessionStore; readonly data: DataDirectory }> {
  const data = await prepareDataDirectory(home);
  return { store: await openSqliteStore({ path: data.database, backupDirectory: data.backups }), data };
}

import type { SessionStore } from "@capstan/ports";
import { type DataDirectory, prepareDataDirectory } from "@capstan/settings";
import { openStore } from "../open-parts.ts";

/** The sessions of a data directory, for commands that look at them without running any. Whoever opens the store closes it. */
export async function openSessions(
  home: string,
): Promise<{ readonly store: SessionStore; readonly data: DataDirectory }> {
  const data = await prepareDataDirectory(home);
  return { store: await openStore(data), data };
}

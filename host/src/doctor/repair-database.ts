import { existsSync } from "node:fs";
import type { Chance, Clock, SessionStore } from "@capstan/ports";
import { AppError } from "@capstan/protocol";
import { type DataDirectory, prepareDataDirectory } from "@capstan/settings";
import { inspectDatabase, rebuildDatabase, type SavedSession } from "@capstan/storage";
import { openStore } from "../open-parts.ts";
import { lookFor } from "@capstan/storage";
import { backUp } from "@capstan/doctor";

/** What a repair of the whole database made. */
export interface DatabaseRepair {
  /** The copy of the damaged database. */
  readonly backup: string;
  readonly sessions: readonly SavedSession[];
}

/**
 * Saves every record that can be read, of every session, into a new database in the place of the damaged one, which is copied first.
 * @returns `null` when nothing is damaged, and nothing was changed
 * @throws {AppError} `session.busy` while a process works in a session; `storage.*`
 */
export async function repairDatabase(
  home: string,
  { clock, chance }: { readonly clock: Clock; readonly chance: Chance },
): Promise<DatabaseRepair | null> {
  const data = await prepareDataDirectory(home);
  if (!existsSync(data.database) || (await isWhole(data))) return null;
  const now = clock.now();
  const backup = backUp(data, { now, chance });
  return { backup, sessions: rebuildDatabase(data.database, now) };
}

/** Damage of what follows from the journals is made good on the way. */
async function isWhole(data: DataDirectory): Promise<boolean> {
  try {
    const store = await openStore(data);
    try {
      const areWhole = await areSessionsWhole(store);
      return areWhole && inspectDatabase(data.database).problems.length === 0;
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof AppError && error.code === "storage.corrupt") return false;
    throw error;
  }
}

async function areSessionsWhole(store: SessionStore): Promise<boolean> {
  let areWhole = true;
  for (const { id } of await store.list()) {
    const holder = await store.holder(id);
    if (holder !== null && lookFor(holder.owner) === "running") {
      throw new AppError("session.busy", `session ${id}: process ${holder.owner.processId} is working in it`, {
        hint: "End it, and repair again. Nothing was changed.",
      });
    }
    const problems = await store.check(id);
    if (problems.some(({ kind }) => kind !== "newer-version")) areWhole = false;
  }
  return areWhole;
}

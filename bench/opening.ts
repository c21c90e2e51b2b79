import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openArchive } from "@capstan/host";
import { evolve, initialState, stateFormat } from "@capstan/session";
import { type SessionEvent, toSessionId } from "@capstan/protocol";
import { openSqliteStore } from "@capstan/storage";
import { longJournal } from "./long-journal.ts";
import { openedRecords, rounds } from "./limits.ts";
import type { Pair } from "./measurements.ts";
import { median } from "./median.ts";

const id = toSessionId("long");

/** Opening a session of so many records from its saved state, in ms, each time with a database newly opened. `bare`: reading its records alone. */
export async function measureOpening(): Promise<Pair> {
  const home = mkdtempSync(join(tmpdir(), "capstan-bench-opening-"));
  try {
    const events = longJournal(openedRecords);
    await write(home, events);
    const rows = await times(() => readRows(home));
    await saveState(home, events);
    return { capstan: await times(() => open(home)), bare: rows };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function write(home: string, events: readonly SessionEvent[]): Promise<void> {
  const store = await openSqliteStore({ path: join(home, "capstan.db") });
  await store.restore(id, events);
  await store.close();
}

/** As a session does that rests: some turns came since. */
async function saveState(home: string, events: readonly SessionEvent[]): Promise<void> {
  const store = await openSqliteStore({ path: join(home, "capstan.db") });
  const until = events.slice(0, -400);
  const state = until.map((event) => event.record).reduce(evolve, initialState);
  if (stateFormat === null) throw new Error("the bench runs without the state's mark, and would measure another thing");
  await store.saveState(id, { seq: until.length, format: stateFormat, state });
  await store.close();
}

async function open(home: string): Promise<void> {
  const archive = await openArchive({ home });
  await archive.fold(id);
  await archive.damage(id);
  await archive.close();
}

async function readRows(home: string): Promise<void> {
  const store = await openSqliteStore({ path: join(home, "capstan.db") });
  await store.read(id, 0);
  await store.close();
}

async function times(work: () => Promise<void>): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < rounds.opening; round += 1) {
    const startedMs = performance.now();
    await work();
    samples.push(performance.now() - startedMs);
  }
  return median(samples);
}

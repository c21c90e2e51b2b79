import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { toSessionId, toStepId } from "@capstan/protocol";
import { opening } from "@capstan/testkit";
import { expect, onTestFinished, test } from "vitest";
import type { LeaseClaim, SessionStore } from "@capstan/ports";
import { inspectDatabase, openSqliteStore } from "../../../src/index.ts";
import { connect } from "../../../src/sqlite/connection.ts";
import { loadSqlite } from "../../../src/sqlite/database.ts";
import { makeFolder } from "../../folder.ts";

const ids = ["one", "two"].map(toSessionId);
const pageBytes = 4096;
const claim: LeaseClaim = {
  owner: { id: "owner", processId: 1, processStart: "1", bootId: "b", processNamespace: "n", frontend: "test" },
  beatMs: 1,
  at: 1000,
  isGone: () => true,
};

/** Two sessions, with leases given out and states saved. */
async function database(): Promise<string> {
  const folder = await makeFolder();
  onTestFinished(() => folder.remove());
  const path = folder.path("capstan.db");
  const store = await openSqliteStore({ path });
  for (const id of ids) {
    const records = [...opening(), asked];
    await store.append(id, { after: 0, at: 1000, records, flush: true });
    await store.saveState(id, { seq: records.length, format: "test", state: { of: id } });
    await store.claim(id, claim);
    await store.release(id, 1);
  }
  await store.close();
  return path;
}

const piece = { type: "text-delta", stepId: toStepId("step"), delta: "so far" } as const;
const asked = {
  type: "notice",
  level: "info",
  code: "test",
  text: "something",
} as const;

/** Overwrites the first page of a table or index with nothing, as a failing disk might. */
function zero(path: string, name: string): void {
  const connection = connect(loadSqlite(), path, 1000);
  const { page } = connection.get<{ readonly page: number }>(
    "SELECT rootpage AS page FROM sqlite_schema WHERE name = ?",
    name,
  );
  connection.emptyLog();
  connection.close();
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(pageBytes), 0, pageBytes, (page - 1) * pageBytes);
  closeSync(file);
}

async function reading(store: SessionStore): Promise<unknown> {
  const records = await Promise.all(ids.map((id) => store.read(id, 0)));
  return { records, list: await store.list(), inbox: await store.pendingInteractions() };
}

async function opened(
  path: string,
): Promise<{ readonly store: SessionStore; readonly repaired: (readonly string[])[] }> {
  const repaired: (readonly string[])[] = [];
  const store = await openSqliteStore({ path, onRepaired: (names) => repaired.push(names) });
  onTestFinished(() => store.close());
  return { store, repaired };
}

test.each([
  ["leases"],
  ["saved_states"],
  ["saved_parts"],
  ["sqlite_autoindex_saved_states_1"],
  ["deletions"],
  ["interactions"],
  ["sessions"],
  ["events_by_scope"],
  ["sessions_by_change"],
])("a zeroed page of %s stops nobody: it is made again, said once, and every session continues", async (name) => {
  const path = await database();
  const before = await opened(path);
  const whole = await reading(before.store);
  await before.store.close();
  zero(path, name);
  const { store, repaired } = await opened(path);
  for (const id of ids) {
    const lease = await store.claim(id, claim);
    expect(lease.type).toBe("granted");
    const generation = lease.type === "granted" ? lease.generation : 0;
    expect(generation).toBeGreaterThan(1);
    await store.loadState(id, "test");
    await store.changedSince(0);
    await store.changedSince(1);
    await store.release(id, generation);
  }
  expect(await reading(store)).toEqual(whole);
  for (const id of ids) {
    const after = (await store.read(id, 0)).at(-1)?.seq ?? 0;
    await store.append(id, { after, at: 1001, records: [piece, asked], flush: true });
    await store.saveState(id, { seq: 1, format: "test", state: {} });
    expect(await store.check(id)).toEqual([]);
  }
  expect(repaired).toEqual([[name.replace(/^sqlite_autoindex_(.*)_1$/u, "$1")]]);
  await store.close();
  expect(inspectDatabase(path).problems).toEqual([]);
  // The second time there is nothing to make again.
  const again = await opened(path);
  await reading(again.store);
  expect(again.repaired).toEqual([]);
});

test("damaged journals are not touched, and not called whole", async () => {
  const path = await database();
  zero(path, "events");
  const damaged = readFileSync(path);
  const { store, repaired } = await opened(path);
  await expect(store.read(ids[0] ?? toSessionId("none"), 0)).rejects.toMatchObject({ code: "storage.corrupt" });
  await store.close();
  expect({ repaired, same: readFileSync(path).equals(damaged) }).toEqual({ repaired: [], same: true });
});

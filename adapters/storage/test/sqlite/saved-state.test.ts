import type { SessionStore } from "@capstan/ports";
import { toSessionId } from "@capstan/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteStore } from "../../src/index.ts";
import { type Database, loadSqlite } from "../../src/sqlite/database.ts";
import { type Folder, makeFolder } from "../folder.ts";

const id = toSessionId("01a");

let folder: Folder;
let path: string;
beforeEach(async () => {
  folder = await makeFolder();
  path = folder.path("capstan.db");
});
afterEach(async () => folder.remove());

interface Item {
  readonly at: number;
  readonly words: string;
}

function itemsUntil(count: number): readonly Item[] {
  return Array.from({ length: count }, (_, at) => ({ at, words: `item ${at}` }));
}

function withDatabase<Result>(work: (database: Database) => Result): Result {
  const database = new (loadSqlite())(path, { timeout: 1000, defensive: false });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

async function withRecord(): Promise<SessionStore> {
  const store = await openSqliteStore({ path });
  const record = { type: "notice", level: "info", code: "sample", text: "x" } as const;
  await store.append(id, { after: 0, at: 1, records: [record], flush: false });
  return store;
}

const partsKept = (): readonly unknown[] =>
  withDatabase((database) => database.prepare("SELECT hash FROM saved_parts").all());

test("a long list of a state is kept in parts: it comes back whole, what was saved before is not written again, and what is no more is dropped", async () => {
  const store = await withRecord();
  const save = (items: readonly Item[]): Promise<void> =>
    store.saveState(id, { seq: 1, format: "f", state: { items, names: ["a", "b"] } });
  const load = async (): Promise<unknown> => (await store.loadState(id, "f"))?.state;
  const first = itemsUntil(700);
  await save(first);
  expect(await load()).toEqual({ items: first, names: ["a", "b"] });
  expect(partsKept()).toHaveLength(2);
  withDatabase((database) => database.exec("UPDATE saved_parts SET body = replace(body, 'item 3\"', 'ITEM 3\"')"));
  await save([...first, ...itemsUntil(100)]);
  expect(partsKept()).toHaveLength(3);
  expect(JSON.stringify(await load())).toContain('"ITEM 3"');
  // Taken back, and continued otherwise.
  await save([...first.slice(0, 300), ...itemsUntil(220)]);
  expect(partsKept()).toHaveLength(2);
  await save(first.slice(0, 10));
  expect(partsKept()).toEqual([]);
  expect(await load()).toEqual({ items: first.slice(0, 10), names: ["a", "b"] });
  await store.close();
});

test("another process reads the parts and continues with them, and parts that are the same text are kept once", async () => {
  const store = await withRecord();
  const same = Array.from({ length: 512 }, () => ({ at: 0, words: "the same" }));
  await store.saveState(id, { seq: 1, format: "f", state: { items: same } });
  await store.close();
  const next = await openSqliteStore({ path });
  const loaded = await next.loadState(id, "f");
  expect(loaded).toEqual({ seq: 1, format: "f", state: { items: same } });
  expect(partsKept()).toHaveLength(1);
  await next.saveState(id, { seq: 1, format: "f", state: { items: [...same, ...itemsUntil(256)] } });
  expect((await next.loadState(id, "f"))?.state).toEqual({ items: [...same, ...itemsUntil(256)] });
  expect(partsKept()).toHaveLength(2);
  await next.close();
});

test.each(["DELETE FROM saved_parts", "UPDATE saved_parts SET body = '{'", "UPDATE saved_parts SET body = '{}'"])(
  "a saved state without its parts is not loaded, and can be saved again: %s",
  async (damage) => {
    const store = await withRecord();
    const saved = { seq: 1, format: "f", state: { items: itemsUntil(300) } };
    await store.saveState(id, saved);
    withDatabase((database) => database.exec(damage));
    expect(await store.loadState(id, "f")).toBeNull();
    withDatabase((database) => database.exec("DELETE FROM saved_parts"));
    await store.saveState(id, saved);
    expect(await store.loadState(id, "f")).toEqual(saved);
    await store.close();
  },
);

test("a saved state that cannot be read, or is ahead of its journal, is not loaded", async () => {
  const store = await openSqliteStore({ path });
  const record = { type: "notice", level: "info", code: "sample", text: "x" } as const;
  await store.append(id, { after: 0, at: 1, records: [record], flush: false });
  for (const damage of ["body = '{'", "body = ''", "seq = 2", "format = 'g'"]) {
    /* oxlint-disable no-await-in-loop -- one after the other */
    await store.saveState(id, { seq: 1, format: "f", state: { whole: true } });
    expect(await store.loadState(id, "f")).toEqual({ seq: 1, format: "f", state: { whole: true } });
    const database = new (loadSqlite())(path, { timeout: 1000, defensive: false });
    database.exec(`UPDATE saved_states SET ${damage}`);
    database.close();
    expect(await store.loadState(id, "f")).toBeNull();
    /* oxlint-enable no-await-in-loop */
  }
  await store.close();
});

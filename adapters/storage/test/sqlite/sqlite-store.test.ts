import { truncateSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { type JournalRecord, toSessionId, toStepId } from "@capstan/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteStore } from "../../src/index.ts";
import { type Database, loadSqlite } from "../../src/sqlite/database.ts";
import { type Folder, makeFolder } from "../folder.ts";

const id = toSessionId("01a");
const notice: JournalRecord = { type: "notice", level: "info", code: "sample", text: "hello" };

let folder: Folder;
let path: string;
beforeEach(async () => {
  folder = await makeFolder();
  path = folder.path("capstan.db");
});
afterEach(async () => folder.remove());

test("after close everything is in the one file, without the log beside it", async () => {
  const store = await openSqliteStore({ path });
  const events = await store.append(id, { after: 0, at: 1, records: [notice], flush: false });
  await store.close();
  await copyFile(path, folder.path("copy.db"));
  const copy = await openSqliteStore({ path: folder.path("copy.db") });
  expect(await copy.read(id, 0)).toEqual(events);
  await copy.close();
});

test("neighbouring deltas of one scope share a row, and are read one by one", async () => {
  const store = await openSqliteStore({ path });
  const records = [delta("s1", "a"), delta("s1", "b"), delta("s2", "c"), notice, delta("s2", "d"), delta("s2", "e")];
  const events = await store.append(id, { after: 0, at: 1, records, flush: false });
  expect(withDatabase((database) => database.prepare("SELECT seq FROM events").all().length)).toBe(4);
  expect(await store.read(id, 1)).toEqual(events.slice(1));
  await store.close();
});

test.for([
  "UPDATE events SET body = '{'",
  "UPDATE events SET body = 'null'",
  `UPDATE events SET body = '{"type":"from-the-future"}'`,
  `UPDATE events SET scope = 'x', body = '[]'`,
  `UPDATE events SET scope = 'x', body = '{"type":"notice"}'`,
  `INSERT INTO interactions VALUES ('01a', 'i', 1, 1, '{"id":7}')`,
])("a row that cannot be understood is storage.corrupt, and names the session: %s", async (sql) => {
  const store = await openSqliteStore({ path });
  await store.append(id, { after: 0, at: 1, records: [notice], flush: false });
  withDatabase((database) => database.exec(sql));
  const read = async () => [await store.read(id, 0), await store.pendingInteractions()];
  await expect(read()).rejects.toMatchObject({
    code: "storage.corrupt",
    message: expect.stringContaining("session 01a") as unknown,
  });
  await store.close();
});

test("a database that was cut short is storage.corrupt, at the latest when the lost part is read", async () => {
  const store = await openSqliteStore({ path });
  const records = Array.from({ length: 200 }, () => ({ ...notice, text: "x".repeat(500) }));
  await store.append(id, { after: 0, at: 1, records, flush: false });
  await store.close();
  truncateSync(path, 20_000);
  const openAndRead = async () => (await openSqliteStore({ path })).read(id, 0);
  await expect(openAndRead()).rejects.toMatchObject({ code: "storage.corrupt" });
});

test("a writer that meets a schema it does not know leaves the store as it was, and usable", async () => {
  const store = await openSqliteStore({ path });
  const events = await store.append(id, { after: 0, at: 1, records: [notice], flush: false });
  withDatabase((database) => database.exec("ALTER TABLE events RENAME TO elsewhere"));
  const failing = store.append(id, { after: 1, at: 2, records: [notice], flush: false });
  await expect(failing).rejects.toMatchObject({ code: "storage.corrupt" });
  withDatabase((database) => database.exec("ALTER TABLE elsewhere RENAME TO events"));
  expect(await store.read(id, 0)).toEqual(events);
  expect((await store.list()).map((session) => session.updatedAt)).toEqual([1]);
  expect(
    (await store.append(id, { after: 1, at: 3, records: [notice], flush: true })).map((event) => event.seq),
  ).toEqual([2]);
  await store.close();
});

function withDatabase<Result>(work: (database: Database) => Result): Result {
  const database = new (loadSqlite())(path, { timeout: 1000, defensive: false });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function delta(step: string, text: string): JournalRecord {
  return { type: "text-delta", stepId: toStepId(step), delta: text };
}

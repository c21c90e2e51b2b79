/** What a later Capstan wrote is whole: it is named, nothing of it is lost, and nobody takes it for damage. */
import { createHash } from "node:crypto";
import { type JournalRecord, toSessionId } from "@capstan/protocol";
import { sessionConfig } from "@capstan/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteStore, salvageJournal } from "../../src/index.ts";
import { loadSqlite } from "../../src/sqlite/database.ts";
import { type Folder, makeFolder } from "../folder.ts";

const id = toSessionId("01a");
const other = toSessionId("01b");
const notice: JournalRecord = { type: "notice", level: "info", code: "sample", text: "x" };

let folder: Folder;
let path: string;
beforeEach(async () => {
  folder = await makeFolder();
  path = folder.path("capstan.db");
  const store = await openSqliteStore({ path });
  for (const session of [id, other]) {
    // oxlint-disable-next-line no-await-in-loop -- one session after the other
    await store.append(session, { after: 0, at: 1, records: [notice, notice], flush: true });
  }
  await store.close();
});
afterEach(async () => folder.remove());

/** Adds a third record as a later version would, with its link. */
function addRecord(record: object): void {
  const database = new (loadSqlite())(path, { timeout: 1000, defensive: true });
  try {
    const head: unknown = database.prepare("SELECT head FROM sessions WHERE id = ?").get(id);
    const before = typeof head === "object" && head !== null ? String(Reflect.get(head, "head")) : "";
    const body = JSON.stringify(record);
    const link = createHash("sha256").update(`${before} 3 5 ${body}`).digest("hex");
    const insert = "INSERT INTO events (session_id, seq, at, body, hash) VALUES (?, 3, 5, ?, ?)";
    database.prepare(insert).run(id, body, link);
    database.prepare("UPDATE sessions SET last_seq = 3, updated_at = 5, head = ? WHERE id = ?").run(link, id);
  } finally {
    database.close();
  }
}

test.each<[string, object, string]>([
  ["a newer version", { v: 7, ...notice }, "it is notice of version 7, and this Capstan knows versions up to 1"],
  ["a new type", { type: "dreamt", of: "sheep" }, 'its type "dreamt" is not known here'],
])("a record of %s is named with its session, and what to do is said", async (_what, record, reason) => {
  addRecord(record);
  const store = await openSqliteStore({ path });
  const text = `the record with number 3 was written by a newer Capstan: ${reason}`;
  await expect(store.read(id, 0)).rejects.toMatchObject({
    code: "storage.newer-version",
    message: `${path}: session ${id}: ${text}`,
    hint: expect.stringContaining("Update Capstan"),
  });
  await expect(store.readChained(id)).rejects.toMatchObject({ code: "storage.newer-version" });
  expect(await store.check(id)).toEqual([{ seq: 3, kind: "newer-version", text }]);
  expect(salvageJournal(path, id).problem).toEqual({ seq: 3, kind: "newer-version", text });
  expect((await store.read(other, 0)).length).toBe(2);
  await store.close();
});

test("a type that is not known and does not follow from the chain is damage, not a newer version", async () => {
  addRecord({ ...notice });
  const database = new (loadSqlite())(path, { timeout: 1000, defensive: true });
  database.exec(`UPDATE events SET body = replace(body, 'notice', 'notife') WHERE session_id = '${id}' AND seq = 3`);
  database.close();
  const store = await openSqliteStore({ path });
  await expect(store.read(id, 0)).rejects.toMatchObject({ code: "storage.corrupt" });
  expect((await store.check(id)).map(({ kind }) => kind).toSorted()).toEqual(["broken-chain", "unreadable"]);
  expect(salvageJournal(path, id).problem?.kind).toBe("broken-chain");
  await store.close();
});

test("a record of an older version is verified as it was written, and read as it would be written today", async () => {
  const { fallbacks, interactionExpiryMs, ...config } = sessionConfig();
  expect({ fallbacks, interactionExpiryMs }).toEqual({ fallbacks: [], interactionExpiryMs: null });
  addRecord({ type: "session-configured", config });
  const store = await openSqliteStore({ path });
  expect(await store.check(id)).toMatchObject([{ kind: "index", text: expect.stringContaining("model") }]);
  expect((await store.read(id, 2))[0]?.record).toMatchObject({ config: { fallbacks: [], interactionExpiryMs: null } });
  const stored = (await store.readChained(id))[2]?.stored;
  expect(stored).toEqual({ type: "session-configured", config });
  await store.close();
});

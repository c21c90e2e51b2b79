import { closeSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { type JournalRecord, toSessionId } from "@capstan/protocol";
import { opening } from "@capstan/testkit";
import { expect, onTestFinished, test } from "vitest";
import { backUpDatabase, inspectDatabase, openSqliteStore, salvageJournal } from "../../src/index.ts";
import { connect } from "../../src/sqlite/connection.ts";
import { loadSqlite } from "../../src/sqlite/database.ts";
import { makeFolder } from "../folder.ts";

const id = toSessionId("patient");
const pageBytes = 4096;
const notices = Array.from({ length: 200 }, (_item, at): JournalRecord => ({
  type: "notice",
  level: "info",
  code: "test",
  text: `${at} `.repeat(200),
}));

async function database(): Promise<string> {
  const folder = await makeFolder();
  onTestFinished(() => folder.remove());
  const path = folder.path("capstan.db");
  const store = await openSqliteStore({ path });
  await store.append(id, { after: 0, at: 1000, records: [...opening(), ...notices], flush: true });
  await store.close();
  return path;
}

/** Overwrites the pages in the second half of a file, as a failing disk might. */
function damage(path: string): void {
  const pages = Math.floor(statSync(path).size / pageBytes);
  const file = openSync(path, "r+");
  for (let page = Math.floor(pages / 2); page < pages; page += 1) {
    writeSync(file, Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, page * pageBytes);
  }
  closeSync(file);
}

test("a sound database is found sound, and nothing about it changes", async () => {
  const path = await database();
  const before = readFileSync(path);
  const report = inspectDatabase(path);
  expect({ ...report, same: readFileSync(path).equals(before) }).toEqual({
    schemaVersion: expect.any(Number),
    bytes: before.length,
    problems: [],
    same: true,
  });
});

test("a grant that nobody can read is found", async () => {
  const path = await database();
  const { database: file } = connect(loadSqlite(), path, 1000);
  file.exec("INSERT INTO grants (id, granted_at, body) VALUES ('g1', 1, 'no')");
  file.close();
  expect(inspectDatabase(path).problems).toEqual(["the grant g1 cannot be read"]);
});

test("damaged pages are found", async () => {
  const path = await database();
  damage(path);
  expect(inspectDatabase(path).problems.length).toBeGreaterThan(0);
});

test("a copy of a sound database holds everything; one of a damaged database is the file, byte for byte", async () => {
  const path = await database();
  const [whole, broken] = [`${path}.whole`, `${path}.broken`];
  backUpDatabase(path, whole);
  expect(salvageJournal(whole, id)).toEqual(salvageJournal(path, id));
  damage(path);
  backUpDatabase(path, broken);
  expect(readFileSync(broken).equals(readFileSync(path))).toBe(true);
  expect([statSync(whole).mode & 0o777, statSync(broken).mode & 0o777]).toEqual([0o600, 0o600]);
});

test("of a journal on damaged pages, what comes before them is saved, and is what was written", async () => {
  const path = await database();
  const { events } = salvageJournal(path, id);
  damage(path);
  const saved = salvageJournal(path, id);
  expect(saved.problem).toMatchObject({ kind: expect.any(String) });
  expect(saved.events).toEqual(events.slice(0, saved.events.length));
});

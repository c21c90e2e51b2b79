import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { AppError, type JournalRecord, type SessionEvent, toSessionId, toStepId } from "@capstan/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteStore } from "../../src/index.ts";
import { connect, Connection } from "../../src/sqlite/connection.ts";
import { type Database, loadSqlite, type Statement } from "../../src/sqlite/database.ts";
import { migrate, needsMigration } from "../../src/sqlite/migrate.ts";
import { type Migration, migrations } from "../../src/sqlite/migrations.ts";
import { openVersioned } from "../../src/sqlite/open-sqlite-store.ts";
import { type Folder, makeFolder } from "../folder.ts";

const id = toSessionId("01a");
const addColour: Migration = {
  about: "colours",
  apply: (database) => database.exec("ALTER TABLE sessions ADD COLUMN colour TEXT NOT NULL DEFAULT 'blue'"),
};
const addShape: Migration = {
  about: "shapes",
  apply: (database) =>
    database.exec("ALTER TABLE sessions ADD COLUMN shape TEXT; UPDATE sessions SET shape = colour || '!'"),
};
const fail: Migration = {
  about: "a mistake",
  apply: (database) => database.exec("DELETE FROM events; DELETE FROM sessions; ALTER TABLE nowhere ADD COLUMN x"),
};

let folder: Folder;
let path: string;
beforeEach(async () => {
  folder = await makeFolder();
  path = folder.path("capstan.db");
});
afterEach(async () => folder.remove());

test("a new database has the newest version, and no backup is made of nothing", async () => {
  await (await openSqliteStore({ path })).close();
  expect(ask("PRAGMA user_version")).toEqual([{ user_version: migrations.length }]);
  expect(readdirSync(folder.path())).not.toContain("backups");
});

test("an empty file is a new database: the process that made it may have died right after", async () => {
  writeFileSync(path, "");
  await (await openSqliteStore({ path })).close();
  expect(ask("PRAGMA user_version")).toEqual([{ user_version: migrations.length }]);
});

test("a database that another process makes between two looks at it is nobody else's", () => {
  const sqlite = loadSqlite();
  const plan = { path, backupDirectory: folder.path("backups"), migrations, sqlite, waitMs: 1000 };
  // As many looks as there are; the other process is done before the first, the second, … and never.
  for (let before = 0, looks = Infinity; before <= looks; before += 1) {
    writeFileSync(path, "");
    const other = connect(sqlite, path, plan.waitMs);
    const database = new sqlite(path, { timeout: 0, defensive: true });
    const seen: string[] = [];
    const prepare = (sql: string): Statement => {
      if (seen.length === before) migrate(other, plan);
      seen.push(sql);
      return database.prepare(sql);
    };
    const watched = new Connection({ isTransaction: false, prepare, exec: () => undefined, close: () => undefined });
    expect(needsMigration(watched, plan)).toBe(before > 0);
    looks = seen.length;
    database.close();
    other.close();
    rmSync(path);
  }
});

test("an older database is brought forward by all steps, after a private, complete copy was put aside", async () => {
  const events = await storeSomething();
  const backupDirectory = folder.path("o'clock", "copies");
  const store = await openVersioned({ path, backupDirectory }, [...migrations, addColour, addShape]);
  expect(await store.read(id, 0)).toEqual(events);
  await store.append(id, { after: 2, at: 2, records: [{ type: "session-recovered", found: "nothing" }], flush: false });
  await store.close();
  expect(ask("SELECT colour, shape, last_seq FROM sessions")).toEqual([
    { colour: "blue", shape: "blue!", last_seq: 3 },
  ]);
  expect(ask("PRAGMA user_version")).toEqual([{ user_version: migrations.length + 2 }]);

  const [backup = "", ...others] = readdirSync(backupDirectory);
  expect(others).toEqual([]);
  expect(backup).toMatch(new RegExp(`^capstan-v${migrations.length}-\\d{8}T\\d{9}Z\\.db$`, "u"));
  expect(statSync(folder.path("o'clock", "copies", backup)).mode % 0o1000).toBe(0o600);
  const old = await openVersioned({ path: folder.path("o'clock", "copies", backup) }, migrations);
  expect(await old.read(id, 0)).toEqual(events);
  await old.close();
});

test("journals of version 1 get their links, and continue", async () => {
  await (await openVersioned({ path }, migrations.slice(0, 1))).close();
  const bodies = [
    '{"type":"notice","level":"info","code":"a","text":"\\ud800 \\u0000 \u2028"}',
    '{"type":"session-recovered","found":"nothing"}',
  ];
  writeWith((database) => {
    const insertRow = database.prepare("INSERT INTO events VALUES (?, ?, ?, ?, ?)");
    const insertSession = database.prepare("INSERT INTO sessions VALUES (?, '', '', '', 4, 9, 0, NULL, NULL, ?)");
    for (const session of ["01a", "01b"]) {
      insertRow.run(session, 3, 7, null, bodies[0] ?? "");
      insertRow.run(session, 5, 8, '"s1"', `[${delta("a")},${delta("b")}]`);
      insertRow.run(session, 6, 9, null, bodies[1] ?? "");
      insertSession.run(session, 6);
    }
    insertSession.run("01c", 4);
  });
  const store = await openSqliteStore({ path });
  const first = sha256(`${"0".repeat(64)} 3 7 ${bodies[0]}`);
  const second = sha256(`${first} 6 9 ${bodies[1]}`);
  for (const session of [id, toSessionId("01b")]) {
    /* oxlint-disable no-await-in-loop -- one session after the other */
    const links = (await store.readChained(session)).map(({ seq, hash }) => [seq, hash]);
    expect(links).toEqual([
      [3, first],
      [4, null],
      [5, null],
      [6, second],
    ]);
    expect(await store.check(session)).toEqual([]);
    await store.append(session, {
      after: 6,
      at: 10,
      records: [{ type: "session-recovered", found: "x" }],
      flush: true,
    });
    expect(await store.check(session)).toEqual([]);
    /* oxlint-enable no-await-in-loop */
  }
  await store.close();
  expect(readdirSync(folder.path("backups"))).toEqual([expect.stringMatching(/^capstan-v1-/u)]);
});

test("a database of version 2 takes grants, and keeps its journals, leases and states", async () => {
  const events = await storeSomething();
  writeWith((database) => database.exec(backToVersion2));
  const store = await openSqliteStore({ path });
  expect(await store.read(id, 0)).toEqual(events);
  expect([await store.check(id), await store.grants.list()]).toEqual([[], []]);
  await store.close();
  expect(readdirSync(folder.path("backups"))).toEqual([expect.stringMatching(/^capstan-v2-/u)]);
});

test("an answer that an older process left is in the copy, and its session is as it was", async () => {
  await (await openVersioned({ path }, migrations.slice(0, 4))).close();
  writeWith((database) => {
    database.prepare("INSERT INTO answers (session_id, id, body) VALUES (?, 'a', '{}')").run(id);
  });
  const events = await storeSomething();
  const store = await openSqliteStore({ path });
  expect([await store.read(id, 0), await store.check(id)]).toEqual([events, []]);
  await store.delete(id);
  await store.close();
  expect(ask("SELECT name FROM sqlite_schema WHERE name LIKE '%answers%'")).toEqual([]);
  const [backup = ""] = readdirSync(folder.path("backups"));
  expect(backup).toMatch(/^capstan-v4-/u);
  path = folder.path("backups", backup);
  expect(ask("SELECT id FROM answers")).toEqual([{ id: "a" }]);
});

test("a migration that fails leaves the database as it was", async () => {
  const events = await storeSomething();
  const attempt = openVersioned({ path }, [...migrations, addColour, fail]);
  await expect(attempt).rejects.toMatchObject({
    code: "storage.failed",
    message: expect.stringContaining("a mistake") as unknown,
  });
  const store = await openSqliteStore({ path });
  expect(await store.read(id, 0)).toEqual(events);
  await store.close();
  expect(readdirSync(folder.path("backups")).length).toBe(1);
});

test("without a backup there is no migration", async () => {
  await storeSomething();
  writeFileSync(folder.path("backups"), "in the way");
  await expect(openVersioned({ path }, [...migrations, addColour])).rejects.toMatchObject({
    code: "storage.unavailable",
  });
  expect(ask("PRAGMA user_version")).toEqual([{ user_version: migrations.length }]);
});

test("a database of a newer version is refused and not touched", async () => {
  await (await openVersioned({ path }, [...migrations, addColour])).close();
  expect(await refusal()).toEqual({ code: "storage.newer-version", isUntouched: true });
});

test("a newer version is distinguished even when nothing else in the file is known", async () => {
  writeWith((database) => database.exec("CREATE TABLE future (x); PRAGMA user_version = 999"));
  expect(await refusal()).toEqual({ code: "storage.newer-version", isUntouched: true });
});

test("somebody else's database is refused and not touched", async () => {
  writeWith((database) => database.exec("CREATE TABLE recipes (name); PRAGMA user_version = 1"));
  expect(await refusal()).toEqual({ code: "storage.corrupt", isUntouched: true });
  mkdirSync(folder.path("second"));
  path = folder.path("second", "capstan.db");
  writeWith((database) => database.exec("CREATE TABLE recipes (name)"));
  expect(await refusal()).toEqual({ code: "storage.corrupt", isUntouched: true });
});

const backToVersion2 = `
  DROP TABLE cold_records;
  ALTER TABLE sessions DROP COLUMN cold_through;
  DROP TABLE grants; DROP TABLE saved_parts; DROP TABLE deletions; DROP TABLE drafts; DROP INDEX sessions_by_change;
  ALTER TABLE sessions DROP COLUMN change; ALTER TABLE sessions DROP COLUMN given_title;
  ALTER TABLE sessions DROP COLUMN spawned_by; ALTER TABLE sessions DROP COLUMN agent; PRAGMA user_version = 2`;

async function storeSomething(): Promise<readonly SessionEvent[]> {
  const store = await openSqliteStore({ path });
  const records: readonly JournalRecord[] = [
    { type: "notice", level: "info", code: "a", text: "kept" },
    { type: "text-delta", stepId: toStepId("s1"), delta: "kept too" },
  ];
  const events = await store.append(id, { after: 0, at: 1, records, flush: true });
  await store.close();
  return events;
}

function delta(text: string): string {
  return JSON.stringify({ type: "text-delta", stepId: "s1", delta: text });
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

async function refusal(): Promise<unknown> {
  const before = readFileSync(path);
  try {
    await openSqliteStore({ path });
    return "opened";
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, isUntouched: readFileSync(path).equals(before) };
  }
}

function ask(sql: string): readonly unknown[] {
  return writeWith((database) =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.assign({}, row)),
  );
}

function writeWith<Result>(work: (database: Database) => Result): Result {
  const database = new (loadSqlite())(path, { timeout: 1000, defensive: false });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

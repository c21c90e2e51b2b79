import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore } from "@capstan/storage";
import { expect, onTestFinished, test } from "vitest";
import { loadSqlite, type Database } from "../../../adapters/storage/src/sqlite/database.ts";
import { opencodeSession } from "../../../importers/test/foreign/samples.ts";
import { importSession } from "../../src/exchange/import-session.ts";
import { readSource } from "../../src/exchange/read-source.ts";
import { importOptions } from "./import-options.ts";
import { wholeText } from "@capstan/protocol";

/** A database with the tables that opencode makes, as far as sessions are in them. */
function newDatabase(fill: (database: Database) => void): string {
  const folder = mkdtempSync(join(tmpdir(), "capstan-opencode-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "opencode.db");
  const database = new (loadSqlite())(path, { timeout: 1000, defensive: true });
  database.exec("PRAGMA journal_mode = WAL");
  database.exec(
    "CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT, title TEXT, version TEXT, revert TEXT, time_created INTEGER, time_updated INTEGER)",
  );
  database.exec("CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT)");
  database.exec(
    "CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT)",
  );
  fill(database);
  // A database whose statements are still held is closed when they are collected, and would write its file then.
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return path;
}

interface Session {
  readonly id: string;
  readonly title?: string;
  readonly parent?: string;
  readonly updated?: number;
}

function addSession(database: Database, { id, title = "A title", parent, updated = 1 }: Session): void {
  database
    .prepare(
      "INSERT INTO session (id, parent_id, title, directory, version, time_updated) VALUES (?, ?, ?, '/w', '1', ?)",
    )
    .run(id, parent ?? null, title, updated);
}

/** The sample's messages, ids in columns and the rest as JSON. */
function addMessages(database: Database, sessionId: string): void {
  for (const [at, message] of opencodeSession.messages.entries()) {
    const { info, parts } = { info: {}, parts: [], ...message };
    const { id, ...data } = { id: `msg_${at}`, ...info };
    database.prepare("INSERT INTO message VALUES (?, ?, ?, ?)").run(id, sessionId, at, JSON.stringify(data));
    for (const [place, part] of Object.entries(parts)) {
      const partId = `prt_${at}_${place.padStart(3, "0")}`;
      database.prepare("INSERT INTO part VALUES (?, ?, ?, ?, ?)").run(partId, id, sessionId, at, JSON.stringify(part));
    }
  }
}

const ofExport = JSON.stringify(opencodeSession);

async function imported(text: string): Promise<unknown> {
  const { agent, turns, calls, healed } = await importSession(
    createMemoryStore(),
    { name: "f", text },
    importOptions(),
  );
  return { agent, turns, calls, healed };
}

test("the only session of opencode's database is what its export would be; the file stays as it is, also the second time", async () => {
  const path = newDatabase((database) => {
    addSession(database, { id: "ses_1" });
    addSession(database, { id: "ses_sub", parent: "ses_1", updated: 9 });
    addMessages(database, "ses_1");
  });
  const before = readFileSync(path);
  const expected = await imported(ofExport);
  expect(await imported(wholeText(await readSource(path)))).toEqual(expected);
  expect(await imported(wholeText(await readSource(`${path}#ses_1`)))).toEqual(expected);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test("of several the newest are named, and the one that is named is taken", async () => {
  const path = newDatabase((database) => {
    for (let at = 1; at <= 7; at += 1) addSession(database, { id: `ses_${at}`, title: `Task ${at}`, updated: at });
    addMessages(database, "ses_3");
  });
  await expect(readSource(path)).rejects.toMatchObject({
    code: "import.unreadable",
    message: expect.stringContaining("holds 7 sessions"),
    hint: expect.stringMatching(/ses_7 \(Task 7\).*ses_3 \(Task 3\)\. Name one of them, for example .*#ses_7/),
  });
  expect(await imported(wholeText(await readSource(`${path}#ses_3`)))).toEqual(await imported(ofExport));
  await expect(readSource(`${path}#ses_9`)).rejects.toMatchObject({
    message: expect.stringContaining('there is no session "ses_9"'),
  });
});

test("a database of another program, a view in place of a table, a torn file and a session of a plain file are refused", async () => {
  const other = newDatabase((database) => database.exec("DROP TABLE part"));
  const view = newDatabase((database) =>
    database.exec("DROP TABLE part; CREATE VIEW part AS SELECT 1 AS id, 2 AS message_id, 3 AS session_id, 4 AS data"),
  );
  for (const path of [other, view])
    await expect(readSource(path)).rejects.toMatchObject({ message: expect.stringContaining("not opencode's") });
  const torn = join(other, "..", "torn.db");
  writeFileSync(torn, `SQLite format 3\0${"x".repeat(200)}`);
  await expect(readSource(torn)).rejects.toMatchObject({ code: expect.stringMatching(/^(storage|import)\./) });
  const plain = join(other, "..", "plain.json");
  writeFileSync(plain, ofExport);
  await expect(readSource(`${plain}#ses_1`)).rejects.toMatchObject({ message: expect.stringContaining("no database") });
});

test("rows that cannot be read are left out, and the rest is imported", async () => {
  const path = newDatabase((database) => {
    addSession(database, { id: "ses_1" });
    addMessages(database, "ses_1");
    database.prepare("INSERT INTO part VALUES ('prt_x', 'msg_none', 'ses_1', 1, '{broken')").run();
    database.prepare("INSERT INTO message VALUES ('msg_zz', 'ses_1', 99, 'null')").run();
  });
  expect(await imported(wholeText(await readSource(path)))).toMatchObject({
    agent: "opencode",
    healed: { "unknown entries skipped": 1 },
  });
});

import { AppError, type JournalRecord, toSessionId, toStepId, toToolCallId, toTurnId } from "@capstan/protocol";
import { call, message, opening, testUsage } from "@capstan/testkit";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { openSqliteStore, readStatistics } from "../../src/index.ts";
import { loadSqlite } from "../../src/sqlite/database.ts";
import { makeFolder } from "../folder.ts";

const busy = toSessionId("busy");
const done = toSessionId("done");
const turnId = toTurnId("t1");
const step = (name: string): JournalRecord => ({
  type: "step-started",
  stepId: toStepId(name),
  turnId,
  attempt: 1,
  model: "scripted",
});
const piece = (delta: string): JournalRecord => ({ type: "text-delta", stepId: toStepId("s2"), delta });
const calls = (name: string): JournalRecord => ({
  type: "step-completed",
  stepId: toStepId(name),
  message: message(call("one", "read_file"), call("two", "read_file")),
  reason: "tool-calls",
  usage: testUsage,
  costUsd: null,
});
const ends = (id: string): JournalRecord => ({
  type: "tool-finished",
  callId: toToolCallId(id),
  outcome: { type: "unknown", content: "lost" },
  changes: [],
  observed: [],
  durationMs: 0,
});

let path: string;
beforeEach(async () => {
  const folder = await makeFolder();
  onTestFinished(() => folder.remove());
  path = folder.path("capstan.db");
});

async function store(id: typeof busy, after: number, records: readonly JournalRecord[]): Promise<void> {
  const opened = await openSqliteStore({ path });
  await opened.append(id, { after, at: 1000 + after, records, flush: true });
  await opened.close();
}

const begun = opening();

test("records, pieces, open steps and calls without an outcome are counted, and bytes are those of the file", async () => {
  await store(busy, 0, [...begun, step("s1"), calls("s1"), ends("one"), step("s2"), piece("a"), piece("b")]);
  const [found, ...others] = readStatistics(path);
  expect(others).toEqual([]);
  expect(found).toEqual({
    sessionId: busy,
    records: begun.length + 4,
    pendingPieces: 2,
    openSteps: 1,
    callsWithoutOutcome: 1,
    unreadable: 0,
    bytes: storedBytes(busy),
    coldBytes: 0,
    isCold: false,
  });
});

test("what ended later is open no more, and a second call of the same id counts by itself", async () => {
  await store(busy, 0, [...begun, step("s1"), calls("s1"), ends("one"), step("s2"), piece("a")]);
  const before = readStatistics(path, busy)[0];
  expect(before).toMatchObject({ pendingPieces: 1, openSteps: 1, callsWithoutOutcome: 1 });
  await store(busy, begun.length + 5, [ends("two"), calls("s2"), ends("two")]);
  expect(readStatistics(path, busy)[0]).toMatchObject({ pendingPieces: 0, openSteps: 0, callsWithoutOutcome: 1 });
});

test("sessions come with the latest first, one can be asked for, and counting changes nothing", async () => {
  await store(done, 0, begun);
  await store(busy, 0, [...begun, step("s1")]);
  await store(done, begun.length, [{ type: "session-titled", title: "late", origin: { frontend: "test" } }]);
  const first = readStatistics(path);
  expect(first.map(({ sessionId }) => sessionId)).toEqual([done, busy]);
  expect(readStatistics(path)).toEqual(first);
  expect(readStatistics(path, busy)).toEqual(first.slice(1));
});

test("a journal of more rows than are read at once is counted to its end", async () => {
  const notices = Array.from({ length: 501 }, (_item, at): JournalRecord => ({
    type: "notice",
    level: "info",
    code: "test",
    text: String(at),
  }));
  await store(busy, 0, [...begun, ...notices]);
  expect(readStatistics(path)[0]).toMatchObject({ records: begun.length + 501, bytes: storedBytes(busy) });
});

test("a row that cannot be understood is counted as such, and the rest is counted all the same", async () => {
  await store(busy, 0, [...begun, step("s1"), step("s2")]);
  change(`UPDATE events SET body = '{"type":' WHERE seq = ${begun.length + 1}`);
  expect(readStatistics(path)[0]).toMatchObject({ records: begun.length + 1, unreadable: 1, openSteps: 1 });
});

test("a record that lost a field is counted as not understood", async () => {
  await store(busy, 0, [...begun, calls("s1")]);
  change(`UPDATE events SET body = replace(body, '"content"', '"contemt"') WHERE seq = ${begun.length + 1}`);
  expect(readStatistics(path)[0]).toMatchObject({ records: begun.length, unreadable: 1, callsWithoutOutcome: 0 });
});

test("records of a session that the index lost are counted", async () => {
  await store(busy, 0, begun);
  change("DELETE FROM sessions");
  expect(readStatistics(path)).toMatchObject([{ sessionId: busy, records: begun.length }]);
});

test("a file that is no database is an error that names it", () => {
  expect(() => readStatistics("/nowhere/capstan.db")).toThrow(AppError);
});

function change(sql: string): void {
  const database = new (loadSqlite())(path, { timeout: 1000, defensive: false });
  database.exec(sql);
  database.close();
}

/** What SQLite itself says the bodies take. */
function storedBytes(id: string): number {
  const database = new (loadSqlite())(path, { timeout: 1000, defensive: true });
  const row: unknown = database
    .prepare("SELECT sum(octet_length(body)) AS bytes FROM events WHERE session_id = ?")
    .get(id);
  database.close();
  return Number(Object(row).bytes);
}

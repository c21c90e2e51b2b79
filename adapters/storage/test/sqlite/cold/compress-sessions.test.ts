/** Records of old sessions are stored compressed, and whoever reads, writes, verifies or saves them sees no difference. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ChainedEvent, SessionStore } from "@capstan/ports";
import { type JournalRecord, toSessionId, toStepId } from "@capstan/protocol";
import { slowTest } from "@capstan/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundledProgram } from "../../../../../test/programs/bundled-program.ts";
import {
  compressSessions,
  openSqliteStore,
  readStatistics,
  rebuildDatabase,
  salvageJournal,
  sessionsToCompress,
} from "../../../src/index.ts";
import { blockRows } from "../../../src/limits.ts";
import { loadSqlite } from "../../../src/sqlite/database.ts";
import { repairTables } from "../../../src/sqlite/damage/repair-tables.ts";
import { type Folder, makeFolder } from "../../folder.ts";

const old = toSessionId("01old");
const young = toSessionId("01young");
const stepId = toStepId("s1");
/** Several blocks, and one that is not full. */
const count = blockRows * 2 + 50;
const before = 1000;

let folder: Folder;
let path: string;
let store: SessionStore;
beforeEach(async () => {
  folder = await makeFolder();
  path = folder.path("capstan.db");
  store = await openSqliteStore({ path });
  await store.append(old, { after: 0, at: 500, records: notices(1, count), flush: false });
  await store.append(young, { after: 0, at: 2000, records: notices(1, 3), flush: false });
});
afterEach(async () => {
  await store.close();
  await folder.remove();
});

test("a compressed session is read from any place, forwards and backwards, and verified as before, and takes a fraction", async () => {
  const whole = await store.readChained(old);
  expect(sessionsToCompress(path, before)).toEqual([old]);
  expect(compress()).toEqual([old]);
  expect(rowsIn("events", old)).toBe(0);
  expect(await store.readChained(old)).toEqual(whole);
  expect(await readInParts(70)).toEqual(whole);
  expect(await readBackwards(70)).toEqual(whole.map(({ seq }) => seq));
  expect([await store.check(old), await store.check(old, "newest")]).toEqual([[], []]);
  expect(salvageJournal(path, old)).toMatchObject({ problem: null, events: { length: count } });
  const [, statistics] = readStatistics(path);
  expect(statistics).toMatchObject({ sessionId: old, records: count, isCold: true });
  expect(statistics?.coldBytes).toBeLessThan((statistics?.bytes ?? 0) / 2);
  expect(compress()).toEqual([]);
  expect(rowsIn("events", young)).toBe(3);
});

test("a compressed session continues where it ended, is warm with that, and is compressed again when it is old again", async () => {
  compress();
  await expect(store.append(old, { after: 3, at: 600, records: notices(4, 4), flush: true })).rejects.toThrow(
    "its last record is",
  );
  await store.append(old, { after: count, at: 600, records: notices(count + 1, count + 2), flush: true });
  expect(readStatistics(path, old)[0]).toMatchObject({ records: count + 2, isCold: false });
  expect(await readBackwards(1)).toHaveLength(count + 2);
  expect([await store.check(old), await store.check(old, "newest")]).toEqual([[], []]);
  const whole = await store.readChained(old);
  expect(compress()).toEqual([old]);
  expect(await store.readChained(old)).toEqual(whole);
  expect(await store.check(old)).toEqual([]);
});

test("pieces that wait for their end stay where they are, and go with it", async () => {
  const piece: JournalRecord = { type: "text-delta", stepId, delta: "shown" };
  await store.append(old, { after: count, at: 500, records: [piece, piece], flush: false });
  const whole = await store.readChained(old);
  expect(compress()).toEqual([old]);
  expect(await store.readChained(old)).toEqual(whole);
  expect(await readBackwards(7)).toEqual(whole.map(({ seq }) => seq));
  const end: JournalRecord = { type: "step-abandoned", stepId, cause: "failed", text: "shown" };
  await store.append(old, { after: count + 2, at: 500, records: [end], flush: true });
  expect((await store.read(old, count)).map(({ record }) => record.type)).toEqual(["step-abandoned"]);
  expect(await store.check(old)).toEqual([]);
});

test("what was changed in a block is found, and what stands before it is saved", async () => {
  compress();
  change(`UPDATE cold_records SET body = x'00' WHERE seq = ${blockRows * 2}`);
  expect(await store.check(old)).toMatchObject([
    { seq: blockRows * 2, kind: "unreadable" },
    { seq: blockRows * 2, kind: "broken-chain" },
  ]);
  await expect(store.read(old, 0)).rejects.toMatchObject({ code: "storage.corrupt" });
  expect(await store.read(old, blockRows * 2)).toHaveLength(50);
  expect(salvageJournal(path, old)).toMatchObject({ problem: { kind: "unreadable" }, events: { length: blockRows } });
  expect(readStatistics(path, old)[0]).toMatchObject({ unreadable: 1 });
});

test("a journal that was changed stays as it is from there on, so that its damage is found as before", async () => {
  change(`UPDATE events SET body = replace(body, 'notice 300', 'notice XXX') WHERE session_id = '${old}'`);
  const found = await store.check(old);
  expect(found).toMatchObject([{ seq: 300, kind: "broken-chain" }]);
  expect([...compressSessions(path, before)].at(-1)).toEqual({ sessionId: old, state: "damaged" });
  expect(await store.check(old)).toEqual(found);
  expect(rowsIn("events", old)).toBe(count - blockRows);
});

test("index and database are made again from compressed records as from others", async () => {
  compress();
  const [whole, list] = [await store.readChained(old), await store.list()];
  await store.close();
  expect(rebuildDatabase(path, 3000).toSorted((a, b) => a.records - b.records)).toEqual([
    { id: young, records: 3, gaps: [] },
    { id: old, records: count, gaps: [] },
  ]);
  store = await openSqliteStore({ path });
  expect([await store.readChained(old), await store.list()]).toEqual([whole, list]);
  compress();
  await store.close();
  expect(repairTables(path)).toEqual([]);
  store = await openSqliteStore({ path });
  expect(await store.check(old)).toEqual([]);
});

test("a session that is used or removed while it is compressed is left alone, and nothing of a removed one stays", async () => {
  const steps = compressSessions(path, before);
  expect(steps.next().value).toEqual({ sessionId: old, state: "more" });
  await store.append(old, { after: count, at: 2000, records: notices(count + 1, count + 1), flush: true });
  expect(steps.next().value).toEqual({ sessionId: old, state: "used" });
  expect(steps.next().done).toBe(true);
  expect(await store.check(old)).toEqual([]);
  await store.delete(old);
  expect([rowsIn("events", old), rowsIn("cold_records", old)]).toEqual([0, 0]);
});

test("a process killed while it compresses loses nothing, and the next one continues", async () => {
  expect(await leftAfterKills([1, 2])).toEqual({ isSame: true, warmRows: 0 });
});

slowTest("the same at every step", async () => {
  expect(await leftAfterKills([1, 1, 1, 1, 2, 3])).toEqual({ isSame: true, warmRows: 0 });
});

async function leftAfterKills(
  counts: readonly number[],
): Promise<{ readonly isSame: boolean; readonly warmRows: number }> {
  const whole = await store.readChained(old);
  for (const steps of counts) {
    // oxlint-disable-next-line no-await-in-loop -- each process continues where the last one was killed
    await compressInProcess(steps);
    // oxlint-disable-next-line no-await-in-loop -- each look is at what the last kill left
    expect([await store.readChained(old), await store.check(old)]).toEqual([whole, []]);
  }
  compress();
  return { isSame: isDeepStrictEqual(await store.readChained(old), whole), warmRows: rowsIn("events", old) };
}

async function compressInProcess(killAfter: number): Promise<void> {
  const script = await bundledProgram(join(import.meta.dirname, "compressing-process.ts"));
  const child = spawn(process.execPath, [script, path, `${before}`], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    if (said.split("\n").length > killAfter) child.kill("SIGKILL");
  });
  await new Promise((done) => child.on("close", done));
}

/** @returns the sessions that are cold now and were not before */
function compress(): readonly string[] {
  return [...compressSessions(path, before)].filter(({ state }) => state === "cold").map(({ sessionId }) => sessionId);
}

function notices(from: number, to: number): readonly JournalRecord[] {
  return Array.from({ length: to - from + 1 }, (_each, at): JournalRecord => {
    return { type: "notice", level: "info", code: "sample", text: `notice ${from + at} ${"and so on ".repeat(5)}` };
  });
}

async function readInParts(limit: number): Promise<readonly ChainedEvent[]> {
  const all: ChainedEvent[] = [];
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each part begins where the last one ended
    const part = await store.readChained(old, all.at(-1)?.seq ?? 0, limit);
    if (part.length === 0) return all;
    all.push(...part);
  }
}

async function readBackwards(limit: number): Promise<readonly number[]> {
  const all: number[] = [];
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each part ends where the last one began
    const part = await store.readBefore(old, all[0] ?? null, limit);
    if (part.length === 0) return all;
    all.unshift(...part.map(({ seq }) => seq));
  }
}

function rowsIn(table: string, id: string): number {
  const database = new (loadSqlite())(path, { timeout: 1000, defensive: true });
  const row: unknown = database.prepare(`SELECT count(*) AS count FROM ${table} WHERE session_id = ?`).get(id);
  database.close();
  return Number(Object(row).count);
}

function change(sql: string): void {
  const database = new (loadSqlite())(path, { timeout: 1000, defensive: false });
  database.exec(sql);
  database.close();
}

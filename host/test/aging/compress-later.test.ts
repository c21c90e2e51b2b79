import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toSessionId } from "@capstan/protocol";
import { openSqliteStore, sessionsToCompress } from "@capstan/storage";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { compressLater } from "../../src/aging/compress-later.ts";

const id = toSessionId("01old");
const dayMs = 24 * 3_600_000;
const clock = { now: () => 40 * dayMs };

let folder: string;
let database: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "capstan-aging-"));
  database = join(folder, "capstan.db");
  const store = await openSqliteStore({ path: database });
  const records = [{ type: "notice", level: "info", code: "sample", text: "x" }] as const;
  await store.append(id, { after: 0, at: 5 * dayMs, records, flush: false });
  await store.close();
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const isWaiting = (): boolean => sessionsToCompress(database, clock.now()).includes(id);

test("a session that is old enough is compressed in the background, and a second process finds nothing left to do", async () => {
  const reported: unknown[] = [];
  const report = (error: unknown): void => void reported.push(error);
  const first = compressLater(database, { afterDays: 30, clock, report, delayMs: 0 });
  await vi.waitUntil(() => !isWaiting());
  first.stop();
  compressLater(database, { afterDays: 30, clock, report, delayMs: 0 }).stop();
  expect([isWaiting(), reported]).toEqual([false, []]);
});

test("nothing is compressed where the user did not ask for it, before its time, or by a process that ends first", async () => {
  const reported: unknown[] = [];
  const report = (error: unknown): void => void reported.push(error);
  compressLater(database, { afterDays: null, clock, report, delayMs: 0 });
  compressLater(database, { afterDays: 36, clock, report, delayMs: 0 });
  compressLater(database, { afterDays: 30, clock, report, delayMs: 0 }).stop();
  const missing = compressLater(join(folder, "none", "capstan.db"), { afterDays: 30, clock, report, delayMs: 0 });
  // The last one has come to its end, and with it those before it.
  await vi.waitUntil(() => reported.length > 0);
  missing.stop();
  expect([isWaiting(), reported.length]).toEqual([true, 1]);
});

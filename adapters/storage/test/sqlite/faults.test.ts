/** Each fault is an error with a code; what was acknowledged stays; and the store continues once the cause is gone. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionStore } from "@capstan/ports";
import { type JournalRecord, type SessionEvent, toSessionId } from "@capstan/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundledProgram } from "../../../../test/programs/bundled-program.ts";
import { openSqliteStore } from "../../src/index.ts";
import { loadSqlite } from "../../src/sqlite/database.ts";
import { migrations } from "../../src/sqlite/migrations.ts";
import { openVersioned } from "../../src/sqlite/open-sqlite-store.ts";
import { type Folder, makeFolder } from "../folder.ts";
import { appendInProcess } from "./append-in-process.ts";

const id = toSessionId("01a");
const slowTest = { timeout: 120_000 };

let folder: Folder;
let path: string;
beforeEach(async () => {
  folder = await makeFolder();
  path = folder.path("capstan.db");
});
afterEach(async () => folder.remove());

test("a database locked forever is session.busy for whoever writes, and nothing for whoever reads", async () => {
  const store = await openSqliteStore({ path, waitMs: 20 });
  const events = await append(store, 0);
  const owner = { id: "1", processId: 1, processStart: "", bootId: "", processNamespace: "", frontend: "cli" };
  const writes: readonly (() => Promise<unknown>)[] = [
    async () => append(store, 1),
    async () => store.claim(id, { owner, beatMs: 0, at: 0, isGone: () => true }),
    async () => store.renew(id, 1, 5),
    async () => store.release(id, 1),
    async () => store.saveState(id, { seq: 1, format: "f", state: 1 }),
    async () => store.restore(toSessionId("01b"), events),
    async () => store.delete(id),
  ];
  const other = new (loadSqlite())(path, { timeout: 0, defensive: true });
  other.exec("BEGIN IMMEDIATE");
  for (const write of writes) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(write()).rejects.toMatchObject({ code: "session.busy" });
  }
  expect([await store.read(id, 0), await store.check(id)]).toEqual([events, []]);
  const second = await openSqliteStore({ path, waitMs: 20 });
  expect(await second.read(id, 0)).toEqual(events);
  await second.close();
  other.exec("ROLLBACK");
  other.close();
  expect((await append(store, 1)).map((event) => event.seq)).toEqual([2]);
  expect(await store.holder(id)).toBeNull();
  await store.close();
});

test("an old database that another process has locked is not brought forward, and is when the lock is gone", async () => {
  await (await openVersioned({ path }, migrations.slice(0, 1))).close();
  const other = new (loadSqlite())(path, { timeout: 0, defensive: true });
  other.exec("BEGIN IMMEDIATE");
  await expect(openSqliteStore({ path, waitMs: 20 })).rejects.toMatchObject({ code: "session.busy" });
  other.exec("ROLLBACK");
  other.close();
  const store = await openSqliteStore({ path });
  expect((await append(store, 0)).map((event) => event.seq)).toEqual([1]);
  await store.close();
});

test.for([0, 100, 4096, 20_000])(
  "a file cut to %i bytes while it is open is storage.corrupt, and continues when its bytes are back",
  async (bytes) => {
    const first = await openSqliteStore({ path });
    const stored = await append(first, 0, 200);
    await first.close();
    const whole = readFileSync(path);
    const store = await openSqliteStore({ path });
    truncateSync(path, bytes);
    await expect(store.read(id, 0)).rejects.toMatchObject({ code: "storage.corrupt" });
    await expect(append(store, 200)).rejects.toMatchObject({ code: "storage.corrupt" });
    expect(await store.check(id)).toMatchObject([{ seq: null, kind: "unreadable" }]);
    writeFileSync(path, whole);
    expect(await store.read(id, 0)).toEqual(stored);
    expect((await append(store, 200)).map((event) => event.seq)).toEqual([201]);
    await store.close();
  },
);

test("a file that was removed while open continues when it is back", async () => {
  const store = await openSqliteStore({ path });
  const stored = await append(store, 0);
  await store.close();
  const again = await openSqliteStore({ path });
  renameSync(path, folder.path("away.db"));
  await expect(append(again, 1)).rejects.toMatchObject({ code: "storage.failed" });
  await expect(again.read(id, 0)).rejects.toMatchObject({ code: "storage.failed" });
  renameSync(folder.path("away.db"), path);
  expect(await again.read(id, 0)).toEqual(stored);
  expect((await append(again, 1)).map((event) => event.seq)).toEqual([2]);
  await again.close();
});

test("a file put in place of an open one is noticed, is not mixed with the old log, and is used from then on", async () => {
  const other = await openSqliteStore({ path: folder.path("other", "capstan.db") });
  const others = await append(other, 0, 3);
  await other.close();
  const store = await openSqliteStore({ path });
  await append(store, 0, 500);
  renameSync(folder.path("other", "capstan.db"), path);
  await expect(append(store, 500)).rejects.toMatchObject({
    code: "storage.failed",
    message: expect.stringContaining("replaced") as unknown,
  });
  expect(await store.read(id, 0)).toEqual(others);
  await expect(append(store, 500)).rejects.toMatchObject({ code: "session.busy" });
  expect((await append(store, 3)).map((event) => event.seq)).toEqual([4]);
  await store.close();
  expect(integrity(path)).toEqual(["ok"]);
});

test("a file of a newer version put in place of an open one is not written to", async () => {
  const store = await openSqliteStore({ path });
  await append(store, 0);
  const newer = folder.path("newer.db");
  await (await openSqliteStore({ path: newer })).close();
  const database = new (loadSqlite())(newer, { timeout: 0, defensive: false });
  database.exec("PRAGMA user_version = 999; PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  renameSync(newer, path);
  copyFileSync(path, folder.path("before.db"));
  await expect(append(store, 1)).rejects.toMatchObject({ code: "storage.failed" });
  await expect(append(store, 0)).rejects.toMatchObject({ code: "storage.newer-version" });
  await store.close();
  expect(readFileSync(path).equals(readFileSync(folder.path("before.db")))).toBe(true);
});

test(
  "a disk made read-only is storage.unavailable at opening, and everything is there when it is writable",
  slowTest,
  async (context) => {
    const disk = mountDisk("size=8m", context.skip);
    const file = join(disk, "capstan.db");
    try {
      // By another process: nothing on a disk that is made read-only may be open.
      const acknowledged = await appendInProcess({ path: file, session: id, writer: "w", count: 1, flushEvery: 1 });
      execFileSync("mount", ["-o", "remount,ro", disk]);
      await expect(openSqliteStore({ path: file })).rejects.toMatchObject({ code: "storage.unavailable" });
      execFileSync("mount", ["-o", "remount,rw", disk]);
      const again = await openSqliteStore({ path: file });
      expect((await again.read(id, 0)).map(({ seq }) => `ack ${seq} w-1`).slice(-1)).toEqual(acknowledged);
      expect((await append(again, 3)).map((event) => event.seq)).toEqual([4]);
      await again.close();
    } finally {
      execFileSync("umount", ["-l", disk]);
    }
  },
);

test("a disk without room for one more file is storage.full at opening, and no half-made database is left behind", async (context) => {
  const disk = mountDisk("size=8m,nr_inodes=5", context.skip);
  const file = join(disk, "capstan.db");
  try {
    for (const name of ["a", "b"]) writeFileSync(join(disk, name), "");
    await expect(openSqliteStore({ path: file })).rejects.toMatchObject({
      code: expect.stringMatching(/^storage\.(?:full|unavailable)$/u) as unknown,
    });
    for (const name of ["a", "b"]) rmSync(join(disk, name));
    const store = await openSqliteStore({ path: file });
    expect((await append(store, 0)).map((event) => event.seq)).toEqual([1]);
    await store.close();
  } finally {
    execFileSync("umount", ["-l", disk]);
  }
});

test("a process out of file descriptors keeps the store it has open, and cannot open another", slowTest, async () => {
  const script = await bundledProgram(join(import.meta.dirname, "starving-process.ts"));
  const node = [process.execPath, script, path];
  const run = spawnSync("sh", ["-c", 'ulimit -n 96; exec "$@"', "sh", ...node], { encoding: "utf8" });
  expect([run.stdout.split("\n"), run.status]).toEqual([["1", "2", "storage.unavailable", "1", "3", ""], 0]);
});

test("a disk that cannot be read for a moment loses nothing", slowTest, async (context) => {
  context.skip(spawnSync("strace", ["-o", "/dev/null", "true"]).status !== 0, "strace cannot run here");
  const writing = { path, session: id, count: 6, flushEvery: 1 };
  const before = await appendInProcess({ ...writing, writer: "before" });
  const log = folder.path("log");
  const inject = ["-P", path, "-e", "trace=pread64", "-e", "inject=pread64:error=EIO:when=6..7"];
  const under = ["strace", "-f", "-qq", "-o", log, ...inject];
  const after = await appendInProcess({ ...writing, writer: "after", under });
  expect(readFileSync(log, "utf8")).toContain("(INJECTED)");
  const errors = after.filter((line) => line.startsWith("error "));
  // SQLite takes a file system that cannot read for a damaged one; a second look does not.
  expect(errors.filter((line) => !line.startsWith("error storage.failed "))).toEqual([]);
  const store = await openSqliteStore({ path });
  const kept = (await store.read(id, 0)).flatMap(({ seq, record }) =>
    record.type === "notice" ? [`ack ${seq} ${record.text.trimEnd()}`] : [],
  );
  expect(kept).toEqual([...before, ...after.filter((line) => line.startsWith("ack "))]);
  expect(kept.length).toBe(12);
  expect(await store.check(id)).toEqual([]);
  await store.close();
});

const notice: JournalRecord = { type: "notice", level: "info", code: "sample", text: "x".repeat(500) };

async function append(store: SessionStore, after: number, count = 1): Promise<readonly SessionEvent[]> {
  return store.append(id, { after, at: 1, records: Array.from({ length: count }, () => notice), flush: true });
}

function integrity(file: string): readonly unknown[] {
  const database = new (loadSqlite())(file, { timeout: 1000, defensive: true });
  const rows = database.prepare("PRAGMA integrity_check").all();
  database.close();
  return rows.flatMap((row) => Object.values(Object(row)));
}

/** A small disk of its own; whoever calls unmounts it. */
function mountDisk(options: string, skip: (unless: boolean, why: string) => void): string {
  const disk = folder.path("disk");
  mkdirSync(disk);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk]).status === 0;
  skip(!mounted, "mounting is not permitted");
  return disk;
}

/** What is acknowledged is stored, whatever happens to the process, the disk or the neighbours. */
import { isSlowTier, sampled } from "@capstan/testkit";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type SessionEvent, toSessionId } from "@capstan/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteStore } from "../../src/index.ts";
import { loadSqlite } from "../../src/sqlite/database.ts";
import { type Folder, makeFolder } from "../folder.ts";
import { appendInProcess } from "./append-in-process.ts";

const session = "01killed";
const slowTest = { timeout: 120_000 };

let folder: Folder;
let path: string;
beforeEach(async () => {
  folder = await makeFolder();
  path = folder.path("capstan.db");
});
afterEach(async () => folder.remove());

test("a process killed in the middle of its appends loses nothing it acknowledged", slowTest, async () => {
  const acknowledged: string[] = [];
  const counts = sampled([1, 2, 9, 60, 250], 2);
  for (const [run, killAfter] of counts.entries()) {
    const asked = { path, session, writer: `run${run}`, count: 10_000, flushEvery: 7, killAfter };
    // oxlint-disable-next-line no-await-in-loop -- each run continues where the last one was killed
    acknowledged.push(...(await appendInProcess(asked)));
    // oxlint-disable-next-line no-await-in-loop -- each look is at what the last kill left
    const stored = await storedLines();
    expect(stored).toEqual(expect.arrayContaining(acknowledged));
    // At most one append per run was stored and not yet acknowledged.
    expect(stored.length - acknowledged.length).toBeLessThanOrEqual(run + 1);
    expect(integrity()).toEqual(["ok"]);
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(counts.reduce((sum, count) => sum + count, 0));
});

test("four processes that open a new database at once lose nothing and give no number twice", slowTest, async () => {
  const writers = ["a", "b", "c", "d"];
  const count = isSlowTier ? 60 : 15;
  const lines = await Promise.all(
    writers.map(async (writer) => appendInProcess({ path, session, writer, count, flushEvery: 10 })),
  );
  const acknowledged = lines.flat().filter((line) => !line.startsWith("busy"));
  expect((await storedLines()).toSorted()).toEqual(acknowledged.toSorted());
  expect(acknowledged.length).toBe(writers.length * count);
  expect(integrity()).toEqual(["ok"]);
});

test(
  "an append with flush reaches the disk before it is acknowledged, one without does not wait",
  slowTest,
  async (context) => {
    context.skip(!hasStrace(), "strace cannot run here");
    const log = folder.path("strace.log");
    const under = ["strace", "-f", "-qq", "-o", log, "-e", "trace=fsync,fdatasync,write"];
    await appendInProcess({ path, session, writer: "w", count: 9, flushEvery: 3, under });
    expect(flushesBeforeEachAck(readFileSync(log, "utf8")).slice(1)).toEqual([0, 1, 0, 0, 1, 0, 0, 1]);
  },
);

test(
  "the copy of an older database is on disk before the first step of the migration is written",
  slowTest,
  async (context) => {
    context.skip(!hasStrace(), "strace cannot run here");
    const old = join(import.meta.dirname, "../fixtures/schema-1.db.gz");
    writeFileSync(path, gunzipSync(readFileSync(old)), { mode: 0o600 });
    const log = folder.path("strace.log");
    const under = ["strace", "-f", "-qq", "-y", "-o", log, "-e", "trace=fsync,fdatasync,pwrite64"];
    await appendInProcess({ path, session, writer: "w", count: 1, flushEvery: 1, under });
    const [beforeMigration = ""] = readFileSync(log, "utf8").split(/pwrite64\(\d+<[^>]*capstan\.db-wal>/u);
    expect(beforeMigration).toMatch(/(?:fsync|fdatasync)\(\d+<[^>]*backups\/capstan-v1-[^>]*\.db>/u);
    expect(beforeMigration).toMatch(/fsync\(\d+<[^>]*backups>/u);
  },
);

/** Which write of the process, and which flush, it dies at; CAPSTAN_KILL_POINTS=40 for a longer sweep. */
const killPoints = Array.from({ length: Number(process.env["CAPSTAN_KILL_POINTS"] ?? 3) }, (_, index) => 2 + 5 * index);

test.for(sampled(killPoints, 1))(
  "a process killed in write or flush number %i loses nothing acknowledged, and its chain holds",
  slowTest,
  async (when, context) => {
    context.skip(!hasStrace(), "strace cannot run here");
    const acknowledged: string[] = [];
    for (const call of ["pwrite64", "fsync"]) {
      const log = folder.path(`${call}.log`);
      const inject = [
        "-P",
        path,
        "-P",
        `${path}-wal`,
        "-e",
        `trace=${call}`,
        "-e",
        `inject=${call}:signal=KILL:when=${when}`,
      ];
      const under = ["strace", "-f", "-qq", "-o", log, ...inject];
      const asked = { path, session, writer: call, count: 300, flushEvery: 2, under, killAfter: Infinity };
      /* oxlint-disable no-await-in-loop -- each continues where the last one died */
      acknowledged.push(...(await appendInProcess(asked)));
      expect(readFileSync(log, "utf8")).toContain("killed by SIGKILL");
      expect(await storedLines()).toEqual(expect.arrayContaining(acknowledged));
      const store = await openSqliteStore({ path });
      expect(await store.check(toSessionId(session))).toEqual([]);
      await store.close();
      expect(integrity()).toEqual(["ok"]);
      /* oxlint-enable no-await-in-loop */
    }
  },
);

const faults = [
  { call: "fsync:error=EIO:when=3", code: "storage.failed" },
  { call: "pwrite64:error=EIO:when=12", code: "storage.failed" },
  { call: "pwrite64:error=ENOSPC:when=12..13", code: "storage.full" },
  { call: "pwrite64:error=EDQUOT:when=12..14", code: "storage.full" },
  { call: "pwrite64:error=EROFS:when=12..16", code: "storage.failed" },
  { call: "fsync:error=EIO:when=3..6", code: "storage.failed" },
] as const;

test.for(sampled(faults, 3))(
  "a disk that fails for a while ($call) stores each record once, and the store continues",
  slowTest,
  async (fault, context) => {
    context.skip(!hasStrace(), "strace cannot run here");
    await (await openSqliteStore({ path })).close();
    const under = ["strace", "-f", "-qq", "-o", folder.path("log"), "-e", `trace=${fault.call.split(":")[0]}`];
    const inject = ["-e", `inject=${fault.call}`];
    const lines = await appendInProcess({
      path,
      session,
      writer: "w",
      count: 12,
      flushEvery: 1,
      under: [...under, ...inject],
    });
    expect(readFileSync(folder.path("log"), "utf8")).toContain("(INJECTED)");
    const acknowledged = lines.filter((line) => line.startsWith("ack"));
    expect(await storedLines()).toEqual(acknowledged);
    expect(acknowledged.length).toBe(12);
    const codes = lines.flatMap((line) => (line.startsWith("error ") ? [line.split(" ")[1]] : []));
    expect([...new Set(codes)]).toEqual([fault.code]);
    expect(integrity()).toEqual(["ok"]);
  },
);

test(
  "a full disk is storage.full, everything before stays, and with room again the session continues",
  slowTest,
  async (context) => {
    const disk = folder.path("disk");
    mkdirSync(disk);
    context.skip(
      spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]).status !== 0,
      "mounting is not permitted",
    );
    try {
      const store = await openSqliteStore({ path: folder.path("disk", "capstan.db") });
      writeFileSync(folder.path("disk", "filler"), Buffer.alloc(2 * 1024 * 1024));
      const id = toSessionId(session);
      const record = { type: "notice", level: "info", code: "sample", text: "x".repeat(50_000) } as const;
      const append = async (after: number) =>
        store.append(id, { after, at: 1, records: [record, record], flush: true });
      const stored: SessionEvent[] = [];
      await expect(
        (async () => {
          // oxlint-disable-next-line no-await-in-loop -- until the disk is full
          for (;;) stored.push(...(await append(stored.length)));
        })(),
      ).rejects.toMatchObject({ code: "storage.full" });
      expect(stored.length).toBeGreaterThan(0);
      expect(await store.read(id, 0)).toEqual(stored);
      rmSync(folder.path("disk", "filler"));
      stored.push(...(await append(stored.length)));
      expect(await store.read(id, 0)).toEqual(stored);
      await store.close();
    } finally {
      execFileSync("umount", ["-l", disk]);
    }
  },
);

test("a database file that was removed while in use fails closed, instead of writing into nothing", async () => {
  const store = await openSqliteStore({ path });
  rmSync(path);
  const records = [{ type: "session-recovered", found: "nothing" }] as const;
  const append = store.append(toSessionId(session), { after: 0, at: 1, records, flush: true });
  await expect(append).rejects.toMatchObject({ code: "storage.failed" });
  await expect(store.list()).rejects.toMatchObject({ code: "storage.failed" });
  expect(readdirSync(folder.path())).not.toContain("capstan.db");
  await store.close();
});

test("and so it does where its folder became a file", async () => {
  const at = folder.path("data");
  mkdirSync(at);
  const store = await openSqliteStore({ path: join(at, "capstan.db") });
  rmSync(at, { recursive: true });
  writeFileSync(at, "");
  const records = [{ type: "session-recovered", found: "nothing" }] as const;
  const append = store.append(toSessionId(session), { after: 0, at: 1, records, flush: true });
  const removed = { code: "storage.failed", message: expect.stringContaining("was removed while") };
  await expect(append).rejects.toMatchObject(removed);
  await store.close();
});

/** What is stored, in the words of the appending process. */
async function storedLines(): Promise<readonly string[]> {
  const store = await openSqliteStore({ path });
  const events = await store.read(toSessionId(session), 0);
  await store.close();
  return events.flatMap(({ seq, record }) => (record.type === "notice" ? [`ack ${seq} ${record.text.trimEnd()}`] : []));
}

function integrity(): readonly unknown[] {
  const database = new (loadSqlite())(path, { timeout: 1000, defensive: true });
  try {
    return database
      .prepare("PRAGMA integrity_check")
      .all()
      .map((row) => Object.values(Object.assign({}, row))[0]);
  } finally {
    database.close();
  }
}

function flushesBeforeEachAck(log: string): readonly number[] {
  return log
    .split(/write\(1, "ack /u)
    .slice(0, -1)
    .map((part) => part.match(/\b(?:fsync|fdatasync)\(/gu)?.length ?? 0);
}

function hasStrace(): boolean {
  return spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;
}

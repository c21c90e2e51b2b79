/** One writer to a session, whatever processes try. */
import { toSessionId } from "@capstan/protocol";
import { isSlowTier } from "@capstan/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteStore } from "../../src/index.ts";
import { loadSqlite } from "../../src/sqlite/database.ts";
import { type Folder, makeFolder } from "../folder.ts";
import { raceInProcesses, startLeasing } from "./lease-in-process.ts";

/** Claims and appends, over all processes; CAPSTAN_LEASE_ATTEMPTS=10000 for a longer race. */
const attempts = Number(process.env["CAPSTAN_LEASE_ATTEMPTS"] ?? (isSlowTier ? 3000 : 600));
const writers = ["a", "b", "c", "d"];
const session = "01raced";
const id = toSessionId(session);
const slowTest = { timeout: 300_000 };

let folder: Folder;
let path: string;
beforeEach(async () => {
  folder = await makeFolder();
  path = folder.path("capstan.db");
});
afterEach(async () => folder.remove());

test(
  `in ${attempts} claims and appends of ${writers.length} processes, no writer interleaves with another`,
  slowTest,
  async () => {
    const each = Math.ceil(attempts / writers.length);
    const racers = writers.map((writer) => ({ path, session, writer, attempts: each }));
    const lines = (await raceInProcesses(racers)).flat();
    const stored = await storedTexts();
    expect(lines.filter((line) => line.startsWith("ack ")).toSorted()).toEqual(
      stored.map((text, index) => `ack ${index + 1} ${text}`).toSorted(),
    );
    const generations = stored.map((text) => Number(text.split(" ")[0]));
    expect(generations).toEqual(generations.toSorted((a, b) => a - b));
    const granted = lines.flatMap((line) => (line.startsWith("granted ") ? [Number(line.split(" ")[1])] : []));
    expect(granted.toSorted((a, b) => a - b)).toEqual(granted.map((_, index) => index + 1));
    // They really met.
    expect(lines.length).toBeGreaterThanOrEqual(attempts);
    expect(lines.filter((line) => line.startsWith("fenced ")).length).toBeGreaterThan(0);
    expect(lines.filter((line) => line === "held").length).toBeGreaterThan(0);
  },
);

test(
  "an owner that was stopped, and wakes up after a takeover, appends nothing and learns by whom",
  slowTest,
  async () => {
    const sleeper = await startLeasing({ path, session, writer: "sleeper" });
    await sleeper.said(/^granted 1$/u);
    sleeper.append();
    await sleeper.said(/^ack 1 /u);
    sleeper.signal("SIGSTOP");
    const next = await startLeasing({ path, session, writer: "next" });
    await next.said(/^granted 2$/u);
    next.append();
    await next.said(/^ack 2 /u);
    sleeper.append();
    sleeper.append();
    sleeper.signal("SIGCONT");
    expect((await sleeper.ended()).slice(2)).toEqual([
      expect.stringMatching(/^fenced 1 .*process \d+ \(next\) has taken over/u),
      expect.stringMatching(/^fenced 1 /u),
    ]);
    next.append();
    expect((await next.ended()).slice(1)).toEqual(["ack 2 2 next 2", "ack 3 2 next 3"]);
    expect(await storedTexts()).toEqual(["1 sleeper 2", "2 next 2", "2 next 3"]);
  },
);

test("a lease whose owner cannot be understood holds nobody off, and its generation stays behind", async () => {
  const store = await openSqliteStore({ path });
  const owner = { id: "1", processId: 1, processStart: "", bootId: "", processNamespace: "", frontend: "cli" };
  const claim = async () => store.claim(id, { owner, beatMs: 0, at: 0, isGone: () => false });
  for (const garbage of ["{", "null", '{"processId":1}']) {
    /* oxlint-disable no-await-in-loop -- one after the other */
    await claim();
    const database = new (loadSqlite())(path, { timeout: 1000, defensive: false });
    database.prepare("UPDATE leases SET owner = ?").run(garbage);
    database.close();
    expect(await store.holder(id)).toBeNull();
    await expect(store.append(id, { after: 0, at: 1, records: [], flush: false })).rejects.toMatchObject({
      code: "session.busy",
      message: expect.stringContaining("another process") as unknown,
    });
    /* oxlint-enable no-await-in-loop */
  }
  expect(await claim()).toEqual({ type: "granted", generation: 4 });
  await store.close();
});

/** `GENERATION WRITER COUNT` of each record, in the journal's order, which has no gap. */
async function storedTexts(): Promise<readonly string[]> {
  const store = await openSqliteStore({ path });
  const events = await store.read(id, 0);
  expect(await store.check(id)).toEqual([]);
  await store.close();
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  return events.flatMap(({ record }) => (record.type === "notice" ? [record.text] : []));
}

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { openSqliteStore } from "@capstan/storage";
import { expect, test } from "vitest";
import type { JournalRecord } from "@capstan/protocol";
import { checkSession } from "../src/check-session.ts";
import { type Repair, repairSession } from "../src/repair-session.ts";
import { systemChance, systemClock } from "../../host/src/system/system-ports.ts";
import { askedAgain, refusalsOf } from "../../importers/test/foreign/requests-of.ts";
import { id, type Patient, patient, question, records } from "./damaged-place.ts";

function repair({ store, data }: Patient): Promise<Repair> {
  return repairSession({ store, data }, id, { clock: systemClock, chance: systemChance, version: "1.2.3" });
}

async function health({ store }: Patient, { sessionId }: Repair): Promise<readonly string[]> {
  const checks = await checkSession(store, sessionId);
  return checks.flatMap(({ name, verdict, text }) => (verdict === "bad" ? [`${name}: ${text}`] : []));
}

test.each([
  ["a changed record", "UPDATE events SET body = replace(body, 'seen', 'SEEN') WHERE seq = 8", 7],
  ["a removed record", "DELETE FROM events WHERE seq = 5", 4],
  ["an unreadable record", "UPDATE events SET body = '{' WHERE seq = 9", 8],
  ["a record without a link", "UPDATE events SET hash = NULL WHERE seq = 10", 9],
  ["a missing end", "DELETE FROM events WHERE seq > 6", 6],
  ["an index that does not fit", "UPDATE sessions SET turns = 9", 11],
])("%s: the good beginning becomes a healthy session, and the damaged one stays", async (_damage, sql, kept) => {
  const place = await patient();
  place.tamper(sql);
  const before = await place.store.check(id);
  const made = await repair(place);
  expect({ kept: made.keptRecords, health: await health(place, made) }).toEqual({ kept, health: [] });
  const events = await place.store.read(made.sessionId, 0);
  expect(events[0]?.record).toMatchObject({ sessionId: made.sessionId, forkedFrom: { sessionId: id } });
  expect(refusalsOf(askedAgain(events))).toEqual([]);
  expect(await place.store.check(id)).toEqual(before);
});

test("what a newer Capstan wrote is not repaired away: it is said to be whole, and what to do", async () => {
  const place = await patient();
  const body = JSON.stringify({ type: "dreamt" });
  const [last] = (await place.store.readChained(id)).slice(-1);
  const hash = createHash("sha256").update(`${last?.hash} 12 7 ${body}`).digest("hex");
  place.tamper(`INSERT INTO events (session_id, seq, at, body, hash) VALUES ('${id}', 12, 7, '${body}', '${hash}');
    UPDATE sessions SET last_seq = 12, updated_at = 7, head = '${hash}'`);
  const sessions = await place.store.list();
  await expect(repair(place)).rejects.toMatchObject({ code: "storage.newer-version" });
  expect(await place.store.list()).toEqual(sessions);
  const bad = (await checkSession(place.store, id)).filter(({ verdict }) => verdict === "bad");
  expect(bad.map(({ name, advice }) => `${name}: ${advice}`)).toEqual(
    ["newer record", "records"].map(
      (name) => `${name}: Update Capstan: nothing is damaged, and nothing is to be repaired.`,
    ),
  );
});

test("whatever was open is closed, wherever the good beginning ends", async () => {
  const journal: readonly JournalRecord[] = [...records.slice(0, 6), question, ...records.slice(6)];
  const ends = journal.map((_record, at) => at + 1).slice(2, -1);
  const found = await Promise.all(
    ends.map(async (end) => {
      const place = await patient(journal);
      place.tamper(`UPDATE events SET body = '{' WHERE seq = ${end + 1}`);
      const made = await repair(place);
      const last = (await place.store.read(made.sessionId, 0)).at(-1)?.record.type;
      const inbox = (await place.store.pendingInteractions()).filter((waiting) => waiting.sessionId === made.sessionId);
      return { last, inbox, health: await health(place, made) };
    }),
  );
  expect(found).toEqual(ends.map(() => ({ last: "turn-ended", inbox: [], health: [] })));
});

test("a call that was open is never said to have succeeded", async () => {
  const place = await patient();
  place.tamper("UPDATE events SET body = '{' WHERE seq = 8");
  const { sessionId } = await repair(place);
  const events = await place.store.read(sessionId, 0);
  expect(events.slice(-2).map((event) => event.record)).toMatchObject([
    { type: "tool-finished", outcome: { type: "unknown" } },
    { type: "turn-ended", outcome: "outcome-unknown" },
  ]);
});

test("before anything is made, the database is copied, damage and all", async () => {
  const place = await patient();
  place.tamper("DELETE FROM events WHERE seq = 5");
  const { backup } = await repair(place);
  const copy = await openSqliteStore({ path: backup, backupDirectory: place.data.backups });
  const [inCopy, inPlace] = [await copy.check(id), await place.store.check(id)];
  expect({ found: inCopy, sessions: (await copy.list()).length }).toEqual({ found: inPlace, sessions: 1 });
  await copy.close();
});

test("where not even the first record is good, nothing is made but the copy", async () => {
  const place = await patient();
  place.tamper("UPDATE events SET body = '{' WHERE seq = 1");
  const error = await repair(place).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "storage.corrupt", hint: expect.stringContaining("before-repair") });
  expect((await place.store.list()).map((session) => session.id)).toEqual([id]);
  expect(existsSync(place.data.backups)).toBe(true);
});

/** Whatever is changed in the file behind the store's back is found, and what was not changed is not blamed. */
import { sampled } from "@capstan/testkit";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import type { JournalProblem } from "@capstan/ports";
import { AppError, type JournalRecord, type SessionEvent, toSessionId, toStepId, toTurnId } from "@capstan/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteStore } from "../../src/index.ts";
import { newestCheckedBytes, newestCheckedRows } from "../../src/limits.ts";
import { type Database, loadSqlite } from "../../src/sqlite/database.ts";
import { type Folder, makeFolder } from "../folder.ts";

const id = toSessionId("01a");
const bystander = toSessionId("01b");

let folder: Folder;
let path: string;
beforeEach(async () => {
  folder = await makeFolder();
  path = folder.path("capstan.db");
});
afterEach(async () => folder.remove());

/** Ten records, 1 to 10, with deltas that stay at 7 and 8. */
const records: readonly JournalRecord[] = [
  notice("one"),
  {
    type: "turn-started",
    turnId: toTurnId("t1"),
    content: [{ type: "text", text: "Fix it" }],
    origin: { frontend: "cli" },
  },
  notice("three"),
  notice("four"),
  notice("five"),
  notice("six"),
  { type: "text-delta", stepId: toStepId("s1"), delta: "a" },
  { type: "text-delta", stepId: toStepId("s1"), delta: "b" },
  notice("nine"),
  { type: "turn-ended", turnId: toTurnId("t1"), outcome: "done", rolledBack: false },
];

const broken = (seq: number | null) => ({ seq, kind: "broken-chain" });
const unreadable = (seq: number | null) => ({ seq, kind: "unreadable" });
const missingEnd = { seq: null, kind: "missing-end" };
const index = { seq: null, kind: "index" };

const insert = "INSERT INTO events (session_id, seq, at, scope, body, hash) VALUES";
const later = `'{"type":"notice","level":"info","code":"c","text":"added"}'`;

const tamperings: readonly (readonly [what: string, sql: string, found: readonly object[]])[] = [
  ["a changed body", change("body = replace(body, 'four', 'vier')", 4), [broken(4)]],
  ["a body with a space more", change("body = replace(body, ',', ', ')", 4), [broken(4)]],
  ["a changed time", change("at = at + 1", 4), [broken(4)]],
  ["a changed link", change("hash = replace(hash, substr(hash, 1, 1), 'x')", 4), [broken(4)]],
  ["a link taken away", change("hash = NULL", 4), [broken(4)]],
  ["a record removed from the middle", "DELETE FROM events WHERE seq = 4", [broken(5)]],
  ["the first record removed", "DELETE FROM events WHERE seq = 1", [broken(2)]],
  [
    "two records swapped",
    "UPDATE events SET seq = -seq WHERE seq IN (4, 5); UPDATE events SET seq = 9 + seq WHERE seq < 0",
    [broken(4)],
  ],
  [
    "a record added without a link",
    `UPDATE events SET seq = 11 WHERE seq = 10; ${insert} ('01a', 10, 1, NULL, ${later}, NULL); UPDATE sessions SET last_seq = 11`,
    [broken(10)],
  ],
  [
    "a record in place of deltas",
    `DELETE FROM events WHERE seq = 8; ${insert} ('01a', 8, 1, NULL, ${later}, hex(zeroblob(32)))`,
    [broken(8)],
  ],
  ["the end cut off", "DELETE FROM events WHERE seq > 5", [missingEnd]],
  ["everything cut off", "DELETE FROM events", [missingEnd]],
  [
    "the last record removed, and the index updated for it",
    "DELETE FROM events WHERE seq = 10; UPDATE sessions SET last_seq = 9",
    [missingEnd, index],
  ],
  [
    "an end of other records",
    "UPDATE events SET body = replace(body, 'n', 'N') WHERE seq > 8",
    [unreadable(9), broken(9), unreadable(10)],
  ],
  [
    "an end of other words",
    "UPDATE events SET body = replace(replace(body, 'six', 'SIX'), 'nine', 'NINE') WHERE seq > 5",
    [broken(6)],
  ],
  ["records after the end", `${insert} ('01a', 12, 1, NULL, ${later}, 'x')`, [broken(12), missingEnd]],
  [
    "a body that ends at a NUL",
    change("body = substr(body, 1, 9) || char(0) || substr(body, 10)", 4),
    [unreadable(4), broken(4)],
  ],
  ["a NUL and more behind the body", change("body = body || char(0) || 'hidden'", 4), [broken(4)]],
  ["a body of garbage", change("body = '\u0001\ufffd{'", 4), [unreadable(4), broken(4)]],
  ["a type from the future", change("body = replace(body, 'notice', 'marvel')", 4), [unreadable(4), broken(4)]],
  ["a number no store gives", change("at = 1 << 60", 4), [unreadable(null)]],
  [
    "deltas that take others' numbers",
    change("body = replace(body, '[', '[' || substr(body, 2, length(body) - 2) || ',')", 8),
    [broken(8)],
  ],
  ["a record that hides among deltas", change(`body = '[' || ${later} || ']'`, 8), [unreadable(8)]],
  ["a record made a delta", change("scope = 'x', body = '[' || body || ']'", 4), [unreadable(4), broken(5)]],
  ["a later number in the index", "UPDATE sessions SET last_seq = 11", [missingEnd]],
  ["another last link in the index", "UPDATE sessions SET head = 'x'", [missingEnd]],
  ["another title", "UPDATE sessions SET title = 'Another'", [index]],
  [
    "other counts and times",
    "UPDATE sessions SET turns = 7, created_at = 7, updated_at = 7, last_outcome = 'failed'",
    [index, index, index, index],
  ],
  ["an interaction nobody opened", "INSERT INTO interactions VALUES ('01a', 'i', 1, 1, '{}')", [index]],
  ["the session gone from the index", "DELETE FROM sessions WHERE id = '01a'", [index]],
];

test("the outcome that an older Capstan left beside an open turn is no damage, another one is", async () => {
  const store = await openSqliteStore({ path });
  const next: JournalRecord = {
    type: "turn-started",
    turnId: toTurnId("t2"),
    content: [{ type: "text", text: "More" }],
    origin: { frontend: "cli" },
  };
  await store.append(id, { after: 0, at: 1, records: [...records, next], flush: false });
  const found = async (outcome: string): Promise<readonly JournalProblem[]> => {
    withDatabase((database) => database.exec(`UPDATE sessions SET last_outcome = ${outcome}`));
    return await store.check(id);
  };
  expect([await found("NULL"), await found("'done'")]).toEqual([[], []]);
  expect(await found("'error'")).toMatchObject([index]);
  await store.close();
});

test.for(tamperings)("check finds %s", async ([, sql, found]) => {
  const store = await openSqliteStore({ path });
  for (const session of [id, bystander]) {
    // oxlint-disable-next-line no-await-in-loop -- one session after the other
    await store.append(session, { after: 0, at: 1, records, flush: false });
  }
  expect(await store.check(id)).toEqual([]);
  withDatabase((database) => {
    database.exec(
      "CREATE TEMP TABLE others AS SELECT * FROM events WHERE session_id = '01b'; DELETE FROM events WHERE session_id = '01b'",
    );
    database.exec(sql);
    database.exec("INSERT INTO events SELECT * FROM others");
  });
  const problems = await store.check(id);
  expect(problems.map(({ seq, kind }) => ({ seq, kind }))).toEqual(found);
  expect(problems.every(({ text }) => text !== "")).toBe(true);
  const newest = await store.check(id, "newest");
  expect(newest.map(({ seq, kind }) => ({ seq, kind }))).toEqual(found.filter((problem) => !isIndex(problem)));
  await store.close();
});

test.for([
  ["a record among the newest", newestCheckedRows + 1, [broken(newestCheckedRows + 1)]],
  ["the oldest of the newest", 501, [broken(501)]],
  ["a record that stands before the newest", 499, []],
] as const)("of a long journal an opening finds %s, and a whole check finds each", async ([, seq, found]) => {
  const store = await openSqliteStore({ path });
  const many = Array.from({ length: newestCheckedRows + 500 }, (_, at) => notice(`number ${at + 1}`));
  await store.append(id, { after: 0, at: 1, records: many, flush: false });
  expect(await store.check(id, "newest")).toEqual([]);
  withDatabase((database) => database.exec(change("body = replace(body, 'number', 'nombre')", seq)));
  expect(await store.check(id, "newest")).toMatchObject(found);
  expect(await store.check(id)).toMatchObject([broken(seq)]);
  await store.close();
});

test("an opening looks past pieces to the record they follow on, and at no more bytes than it can afford", async () => {
  const store = await openSqliteStore({ path });
  await store.append(id, { after: 0, at: 1, records: [notice("one"), notice("two")], flush: false });
  const piece: JournalRecord = {
    type: "text-delta",
    stepId: toStepId("s1"),
    delta: "x".repeat(newestCheckedBytes / 60),
  };
  for (let after = 2; after < 102; after += 1) {
    // oxlint-disable-next-line no-await-in-loop -- a row of its own for each
    await store.append(id, { after, at: after, records: [piece], flush: false });
  }
  expect(await store.check(id, "newest")).toEqual([]);
  withDatabase((database) => database.exec(change("body = replace(body, 'one', 'eins')", 1)));
  expect(await store.check(id, "newest")).toEqual([]);
  withDatabase((database) => database.exec(change("hash = replace(hash, substr(hash, 1, 1), 'x')", 2)));
  expect(await store.check(id, "newest")).toMatchObject([missingEnd]);
  await store.close();
});

test("check sees one moment of a journal that another process writes to", async () => {
  const [writer, reader] = [await openSqliteStore({ path }), await openSqliteStore({ path })];
  const problems: JournalProblem[] = [];
  for (let after = 0; after < 200; after += 2) {
    const batch = { after, at: after, records: [records[6] ?? notice("x"), notice("y")], flush: false };
    /* oxlint-disable no-await-in-loop -- a look after each append */
    await writer.append(id, batch);
    problems.push(...(await reader.check(id)));
    /* oxlint-enable no-await-in-loop */
  }
  expect(problems).toEqual([]);
  await writer.close();
  await reader.close();
});

test(
  "a flipped bit anywhere in the file is an error with a code, or is found, or changes nothing",
  { timeout: 120_000 },
  async () => {
    const store = await openSqliteStore({ path });
    const events = await store.append(id, { after: 0, at: 1, records: records.filter((_, at) => at < 6), flush: true });
    await store.close();
    const whole = readFileSync(path);
    const silent: number[] = [];
    const outcomes = { refused: 0, found: 0, same: 0 };
    const bits = Array.from({ length: Math.floor((whole.length * 8 - 3) / 499) }, (_, at) => 3 + at * 499);
    for (const bit of sampled(bits, 100)) {
      const copy = folder.path(`flipped-${bit}.db`);
      const flipped = Buffer.from(whole);
      // oxlint-disable-next-line no-bitwise -- it is a bit that flips
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      writeFileSync(copy, flipped);
      // oxlint-disable-next-line no-await-in-loop -- one file after the other
      const outcome = await lookAt(copy, events);
      if (outcome === "silent") silent.push(bit);
      else outcomes[outcome] += 1;
    }
    expect(silent).toEqual([]);
    expect(Object.values(outcomes).every((count) => count > 0)).toBe(true);
  },
);

async function lookAt(file: string, events: readonly SessionEvent[]): Promise<"refused" | "found" | "same" | "silent"> {
  try {
    const store = await openSqliteStore({ path: file });
    try {
      if ((await store.check(id)).length > 0) return "found";
      return JSON.stringify(await store.read(id, 0)) === JSON.stringify(events) ? "same" : "silent";
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof AppError) || !/^(?:storage\.|session\.busy)/u.test(error.code)) throw error;
    return "refused";
  }
}

test("a copy of the file is checked like the file", async () => {
  const store = await openSqliteStore({ path });
  await store.append(id, { after: 0, at: 1, records, flush: true });
  await store.close();
  copyFileSync(path, folder.path("copy.db"));
  const copy = await openSqliteStore({ path: folder.path("copy.db") });
  expect(await copy.check(id)).toEqual([]);
  await copy.close();
});

function notice(text: string): JournalRecord {
  return { type: "notice", level: "info", code: "sample", text };
}

function isIndex(problem: object): boolean {
  return "kind" in problem && problem.kind === "index";
}

function change(what: string, seq: number): string {
  return `UPDATE events SET ${what} WHERE seq = ${seq}`;
}

function withDatabase<Result>(work: (database: Database) => Result): Result {
  const database = new (loadSqlite())(path, { timeout: 1000, defensive: false });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

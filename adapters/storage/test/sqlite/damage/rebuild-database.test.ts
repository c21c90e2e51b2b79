import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { type JournalRecord, type SessionEvent, type SessionId, toSessionId } from "@capstan/protocol";
import { opening, sampled } from "@capstan/testkit";
import { expect, onTestFinished, test } from "vitest";
import { inspectDatabase, openSqliteStore, rebuildDatabase } from "../../../src/index.ts";
import { connect } from "../../../src/sqlite/connection.ts";
import { loadSqlite } from "../../../src/sqlite/database.ts";
import { makeFolder } from "../../folder.ts";

const pageBytes = 4096;
const ids = ["one", "two", "three", "four"].map(toSessionId);

/** Some on a page with others, some on pages of their own. */
function noticesOf(id: SessionId): readonly JournalRecord[] {
  return Array.from({ length: 60 }, (_item, at) => ({
    type: "notice",
    level: "info",
    code: "test",
    text: markOf(id, at).repeat(at % 17 === 0 ? 900 : 20),
  }));
}

function markOf(id: SessionId, at: number): string {
  return `<${id}:${at}>`;
}

interface Sound {
  readonly path: string;
  readonly content: Buffer;
  readonly journals: ReadonlyMap<SessionId, readonly SessionEvent[]>;
}

async function soundDatabase(): Promise<Sound> {
  const folder = await makeFolder();
  onTestFinished(() => folder.remove());
  const path = folder.path("capstan.db");
  const store = await openSqliteStore({ path });
  const journals = new Map<SessionId, readonly SessionEvent[]>();
  for (const id of ids) {
    const records = [...opening(), ...noticesOf(id)];
    for (let after = 0; after < records.length; after += 20)
      await store.append(id, { after, at: 1, records: records.slice(after, after + 20), flush: true });
    journals.set(id, await store.read(id, 0));
  }
  await store.close();
  return { path, content: readFileSync(path), journals };
}

/** Numbers that depend on the seed only, below `limit`. */
function numbersFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
}

/** One to six pages emptied, filled with anything, or with one changed bit. @returns the damaged pages */
function damage(content: Buffer, number: (limit: number) => number): ReadonlySet<number> {
  const pages = new Set<number>();
  for (let left = 1 + number(6); left > 0; left -= 1) {
    const page = number(content.length / pageBytes);
    const part = content.subarray(page * pageBytes, (page + 1) * pageBytes);
    pages.add(page);
    const kind = number(3);
    if (kind === 0) part.fill(0);
    if (kind === 1) for (const at of part.keys()) part[at] = number(256);
    const place = number(pageBytes);
    // oxlint-disable-next-line no-bitwise -- a bit is what changes
    if (kind === 2) part[place] = (part[place] ?? 0) ^ (1 << number(8));
  }
  return pages;
}

/** Notices of which no part is on a damaged page. */
function undamaged(
  { content, journals }: Sound,
  pages: ReadonlySet<number>,
): ReadonlyMap<SessionId, readonly SessionEvent[]> {
  const parts = [...pages].map((page) => content.subarray(page * pageBytes, (page + 1) * pageBytes));
  const isHit = (id: SessionId, at: number): boolean => parts.some((part) => part.includes(markOf(id, at)));
  const first = opening().length;
  return new Map([...journals].map(([id, events]) => [id, events.slice(first).filter((_event, at) => !isHit(id, at))]));
}

function removeLog(path: string): void {
  for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
}

test(
  "whatever pages are damaged, every undamaged record of every session is there after a repair, as it was",
  { timeout: 900_000 },
  async () => {
    const sound = await soundDatabase();
    const seeds = Array.from({ length: 1000 }, (_item, at) => at + 1);
    for (const seed of sampled(seeds, 30)) {
      const content = Buffer.from(sound.content);
      const pages = damage(content, numbersFrom(seed * 7919));
      removeLog(sound.path);
      writeFileSync(sound.path, content);
      rebuildDatabase(sound.path, 2);
      expect({ seed, problems: inspectDatabase(sound.path).problems }).toEqual({ seed, problems: [] });
      const store = await openSqliteStore({ path: sound.path });
      for (const [id, expected] of undamaged(sound, pages)) {
        const found = await store.read(id, 0);
        const whole = sound.journals.get(id) ?? [];
        const made = found.filter(({ record }) => record.type === "notice" && record.code === "session.repaired");
        const own = found.filter((event) => !made.includes(event));
        const numbers = new Set(own.map(({ seq }) => seq));
        expect({ seed, id, missing: expected.filter(({ seq }) => !numbers.has(seq)).map(({ seq }) => seq) }).toEqual({
          seed,
          id,
          missing: [],
        });
        const isUndamaged = (event: SessionEvent): boolean => expected.some(({ seq }) => seq === event.seq);
        expect(own.filter(isUndamaged)).toEqual(whole.filter(isUndamaged));
        expect({ seed, id, problems: await store.check(id) }).toEqual({ seed, id, problems: [] });
      }
      await store.close();
    }
  },
);

test("one changed letter costs one record, and the notice says where", async () => {
  const sound = await soundDatabase();
  const connection = connect(loadSqlite(), sound.path, 1000);
  connection.run("UPDATE events SET body = replace(body, '<two:30>', '<two:3O>')");
  connection.close();
  const saved = rebuildDatabase(sound.path, 2);
  const seq = opening().length + 31;
  const records = opening().length + 60;
  expect(new Map(saved.map((session) => [session.id, session]))).toEqual(
    new Map(
      ids.map((id) => [id, id === "two" ? { id, records: records - 1, gaps: [seq - 1] } : { id, records, gaps: [] }]),
    ),
  );
  const store = await openSqliteStore({ path: sound.path });
  const last = (await store.read(toSessionId("two"), 0)).at(-1);
  expect(last).toMatchObject({
    at: 2,
    record: { code: "session.repaired", text: expect.stringContaining(`after number ${seq - 1};`) },
  });
  await store.close();
});

test("grants, drafts and what a kill left in the log are saved, and a deleted session is not in the file", async () => {
  const { path } = await soundDatabase();
  const store = await openSqliteStore({ path });
  const [one, two] = [toSessionId("one"), toSessionId("two")];
  await store.saveDraft(one, "user", { text: "half a sentence", at: 5 });
  await store.delete(two);
  const draft = await store.draft(one, "user");
  await store.append(one, { after: opening().length + 60, at: 3, records: noticesOf(one).slice(0, 1), flush: true });
  const journal = await store.read(one, 0);
  const files = [path, `${path}-wal`].map((file) => [file, readFileSync(file)] as const);
  await store.close();
  expect(readFileSync(path).includes(markOf(two, 1))).toBe(false);
  // The files of a process that was killed.
  for (const [file, content] of files) writeFileSync(file, content);
  rebuildDatabase(path, 4);
  const again = await openSqliteStore({ path });
  expect(await again.read(one, 0)).toEqual(journal);
  expect(await again.draft(one, "user")).toEqual(draft);
  expect((await again.list()).map(({ id }) => id)).not.toContain(two);
  await again.close();
});

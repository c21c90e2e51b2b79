/** A deleted session is nowhere any more: not in the database, its log or its copies. What killed writes left goes with it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type JournalRecord, type SessionId, toSessionId } from "@capstan/protocol";
import { backUpDatabase } from "@capstan/storage";
import { opening } from "@capstan/testkit";
import { expect, onTestFinished, test } from "vitest";
import { spillFolder } from "@capstan/tools";
import { deleteSession } from "../../src/exchange/delete-session.ts";
import { openSessions } from "../../src/exchange/open-sessions.ts";
import { systemChance, systemClock } from "../../src/system/system-ports.ts";
import { newPlace } from "../host-place.ts";

const kept = toSessionId("remaining");
const gone = toSessionId("departing");

function wordsOf(id: SessionId): string {
  return `the words of ${id}`;
}

interface Stored extends Awaited<ReturnType<typeof openSessions>> {
  readonly home: string;
  /** Every file of the data directory that holds these words. */
  readonly filesWith: (id: SessionId) => readonly string[];
}

/** Two sessions whose records lie side by side, rewritten and moved while they grew. */
async function twoSessions(): Promise<Stored> {
  const { home } = newPlace();
  const opened = await openSessions(home);
  onTestFinished(() => opened.store.close());
  for (let after = 0; after < 300; after += 3)
    for (const id of [kept, gone]) {
      const notice: JournalRecord = {
        type: "notice",
        level: "info",
        code: "test",
        text: wordsOf(id).repeat(1 + (after % 40)),
      };
      const records = after === 0 ? [...opening(), notice] : [notice, notice, notice];
      await opened.store.append(id, { after, at: 1, records, flush: true });
      await opened.store.saveState(id, { seq: after + 3, format: "test", state: { text: wordsOf(id) } });
      await opened.store.saveDraft(id, "user", { text: wordsOf(id), at: after });
    }
  const filesWith = (id: SessionId): readonly string[] =>
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path).includes(wordsOf(id)));
  return { ...opened, home, filesWith };
}

test("a deleted session is in no file any more, while the store stays open, and the others are as they were", async () => {
  const { home, store, data, filesWith } = await twoSessions();
  backUpDatabase(data.database, join(data.backups, "capstan-before.db"));
  const journal = await store.read(kept, 0);
  expect(filesWith(gone).length).toBeGreaterThanOrEqual(2);
  await deleteSession(store, gone, { home, clock: systemClock, chance: systemChance });
  expect(filesWith(gone)).toEqual([]);
  expect(filesWith(kept)).toContain(join(data.backups, "capstan-before.db"));
  expect(await store.read(kept, 0)).toEqual(journal);
  expect(await store.check(kept)).toEqual([]);
  await deleteSession(store, kept, { home, clock: systemClock, chance: systemChance });
  expect(filesWith(kept)).toEqual([]);
});

test("kept output of a deleted session's commands is gone, and that of other sessions stays", async () => {
  const { home, store, data, filesWith } = await twoSessions();
  for (const id of [kept, gone]) {
    const folder = spillFolder(data.spill, { sessionId: id });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "background-1.log"), wordsOf(id));
  }
  await deleteSession(store, gone, { home, clock: systemClock, chance: systemChance });
  expect(filesWith(gone)).toEqual([]);
  expect(filesWith(kept)).toContain(join(spillFolder(data.spill, { sessionId: kept }), "background-1.log"));
});

test("a copy that cannot be changed is named, and the session is deleted everywhere else", async () => {
  const { home, store, data, filesWith } = await twoSessions();
  const [whole, damaged] = [join(data.backups, "whole.db"), join(data.backups, "damaged.db")];
  backUpDatabase(data.database, whole);
  backUpDatabase(data.database, damaged);
  writeFileSync(damaged, readFileSync(damaged).fill(0, 0, 4096));
  const deletion = deleteSession(store, gone, { home, clock: systemClock, chance: systemChance });
  await expect(deletion).rejects.toMatchObject({ code: "storage.failed", message: expect.stringContaining(damaged) });
  expect(filesWith(gone)).toEqual([damaged]);
  expect((await store.list()).map(({ id }) => id)).toEqual([kept]);
});

test("unfinished files of killed writes are removed when a session is deleted, and those of writes under way are not", async () => {
  const { home, store, data } = await twoSessions();
  const folder = join(data.checkpoints, "objects", "ab");
  mkdirSync(folder, { recursive: true });
  const old = join(folder, "tmp_obj_1_old");
  const young = join(folder, "tmp_obj_2_young");
  const object = join(folder, "cdef");
  for (const path of [old, young, object]) writeFileSync(path, "x");
  for (const path of [old, object]) utimesSync(path, 1, 1);
  await deleteSession(store, gone, { home, clock: systemClock, chance: systemChance });
  expect([old, young, object].map((path) => existsSync(path))).toEqual([false, true, true]);
});

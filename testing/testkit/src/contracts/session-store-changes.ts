import type { ChangedSession, SessionStore, StoreChanges } from "@capstan/ports";
import { type JournalRecord, type SessionId, toSessionId } from "@capstan/protocol";
import * as fc from "fast-check";
import { expect } from "vitest";
import { runs } from "../tier.ts";
import { delta, notice, opened, resolved, started, titled, turn } from "./sample-records.ts";
import type { Check } from "./session-store-check.ts";
import { sampleRecord } from "./session-store-steps.ts";

/** Changes of index and inbox, found without reading everything again. */
export function changePromises(check: Check, checkMany: Check): void {
  followPromises(check, checkMany);
  check(
    "what changed since a cursor is reported with all that it is now, and nothing is reported twice",
    async ({ store }) => {
      const writer = new Writer();
      const nothing = await store.changedSince(0);
      expect(nothing).toEqual({ cursor: nothing.cursor, isWhole: true, sessions: [], deleted: [] });
      await writer.add(store, [started("/a"), turn("t1", "Repair it"), opened("i1")]);
      const first = await store.changedSince(nothing.cursor);
      expect(first.sessions).toEqual([
        { summary: (await store.list())[0], pending: await store.pendingInteractions() },
      ]);
      expect(await store.changedSince(first.cursor)).toEqual(unchanged(first.cursor));
      await writer.add(store, [resolved("i1"), titled("Parser")]);
      const second = await store.changedSince(first.cursor);
      expect(second.sessions.map(({ summary, pending }) => [summary.title, pending])).toEqual([["Parser", []]]);
      await store.delete(session);
      const third = await store.changedSince(second.cursor);
      expect(third).toEqual({ cursor: third.cursor, isWhole: false, sessions: [], deleted: [session] });
      expect(await store.changedSince(third.cursor)).toEqual(unchanged(third.cursor));
    },
  );

  check("pieces of an answer and mere activity are no change", async ({ store }) => {
    const writer = new Writer();
    await writer.add(store, [started("/a"), opened("i1")]);
    const { cursor } = await store.changedSince(0);
    await writer.add(store, [delta("s1", "x")]);
    await writer.add(store, [notice("x")]);
    expect(await store.changedSince(cursor)).toEqual(unchanged(cursor));
  });
}

function followPromises(check: Check, checkMany: Check): void {
  check(
    "another process's changes are found, and so is what a restart or a restored journal brought",
    async (under) => {
      const writer = new Writer();
      const { store, reopen } = under;
      if (reopen === undefined) return;
      await writer.add(store, [started("/a")]);
      const { cursor } = await store.changedSince(0);
      const second = await reopen();
      expect(await second.changedSince(cursor)).toEqual(unchanged(cursor));
      await writer.add(second, [titled("Parser")]);
      expect((await store.changedSince(cursor)).sessions.map(({ summary }) => summary.title)).toEqual(["Parser"]);
      await second.restore(other, await store.read(session, 0));
      expect((await store.changedSince(cursor)).sessions.length).toBe(2);
      await second.close();
    },
  );

  check("a cursor of another store gets everything", async ({ store }) => {
    await new Writer().add(store, [started("/a")]);
    const { cursor } = await store.changedSince(0);
    expect(await store.changedSince(cursor + 1000)).toMatchObject({ isWhole: true, sessions: [{}] });
  });

  checkMany("a cursor of long ago gets everything", async ({ store }) => {
    await new Writer().add(store, [started("/a")]);
    const early = await store.changedSince(0);
    for (let number = 0; number <= 1000; number += 1) {
      const id = toSessionId(`gone-${number}`);
      /* oxlint-disable no-await-in-loop -- one session after the other */
      await store.append(id, { after: 0, at: 1, records: [notice("x")], flush: false });
      await store.delete(id);
      /* oxlint-enable no-await-in-loop */
    }
    const late = await store.changedSince(early.cursor);
    expect(late).toEqual({ ...late, isWhole: true, sessions: early.sessions, deleted: [] });
    expect(await store.changedSince(late.cursor)).toEqual(unchanged(late.cursor));
  });

  check("whoever follows the changes has what list and inbox say, whatever happens in between", async ({ store }) => {
    const ids = [session, other, toSessionId("01c")];
    const step = fc.oneof(
      fc.record({ id: fc.constantFrom(...ids), records: fc.array(sampleRecord, { minLength: 1, maxLength: 4 }) }),
      fc.record({ id: fc.constantFrom(...ids), records: fc.constant([]) }),
    );
    const follower = new Follower();
    const writer = new Writer();
    const property = fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 12 }), async (steps) => {
      for (const [{ id, records }, looks] of steps) {
        /* oxlint-disable no-await-in-loop -- one step after the other */
        if (records.length === 0) await writer.remove(store, id);
        else await writer.add(store, records, id);
        if (looks) follower.apply(await store.changedSince(follower.cursor));
        /* oxlint-enable no-await-in-loop */
      }
      follower.apply(await store.changedSince(follower.cursor));
      expect(follower.contents()).toEqual(await contentsOf(store));
    });
    await fc.assert(property, { numRuns: propertyRuns });
  });
}

class Follower {
  cursor = 0;
  #known = new Map<SessionId, ChangedSession>();

  apply({ cursor, isWhole, sessions, deleted }: StoreChanges): void {
    if (isWhole) this.#known = new Map();
    for (const id of deleted) this.#known.delete(id);
    for (const changed of sessions) this.#known.set(changed.summary.id, changed);
    this.cursor = cursor;
  }

  contents(): readonly object[] {
    return [...this.#known.values()].map(shown).toSorted(byText);
  }
}

/** Without what is no change. */
function shown({ summary: { updatedAt: _activity, ...summary }, pending }: ChangedSession): object {
  return { summary, pending: pending.toSorted(byText) };
}

async function contentsOf(store: SessionStore): Promise<readonly object[]> {
  const inbox = await store.pendingInteractions();
  return (await store.list())
    .map((summary) => shown({ summary, pending: inbox.filter(({ sessionId }) => sessionId === summary.id) }))
    .toSorted(byText);
}

function byText(a: object, b: object): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

/** Writes on, knowing the last numbers. */
class Writer {
  readonly #last = new Map<SessionId, number>();

  async add(store: SessionStore, records: readonly JournalRecord[], id: SessionId = session): Promise<void> {
    const after = this.#last.get(id) ?? 0;
    await store.append(id, { after, at: 1, records, flush: false });
    this.#last.set(id, after + records.length);
  }

  async remove(store: SessionStore, id: SessionId): Promise<void> {
    await store.delete(id);
    this.#last.delete(id);
  }
}

function unchanged(cursor: number): StoreChanges {
  return { cursor, isWhole: false, sessions: [], deleted: [] };
}

const session = toSessionId("01aaaaaaaaaaaaaaaaaaaaaaaa");
const other = toSessionId("01bbbbbbbbbbbbbbbbbbbbbbbb");

/** One store serves all runs. */
const propertyRuns = runs(60);

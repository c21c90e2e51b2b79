import type { SessionEvent } from "@capstan/protocol";
import { toStepId } from "@capstan/protocol";
import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { eventsPerSharedPage, maxSharedCharacters } from "../src/limits.ts";
import { SharedPages } from "../src/feed/shared-pages.ts";

/** A journal that counts how often it is read. */
class Journal {
  events: SessionEvent[];
  reads = 0;
  readonly pages = new SharedPages(async (after, limit) => {
    this.reads += 1;
    await Promise.resolve();
    return this.events.filter(({ seq }) => seq > after).slice(0, limit);
  });

  constructor(seqs: readonly number[], text = "") {
    this.events = seqs.map((seq) => notice(seq, text));
  }

  /** As a client does that is behind. */
  async from(after: number, isShared = true): Promise<readonly SessionEvent[]> {
    const seen: SessionEvent[] = [];
    for (let last = after; ;) {
      const page = await this.pages.read(last, 500, isShared);
      const end = page.at(-1);
      if (end === undefined) return seen;
      seen.push(...page);
      last = end.seq;
    }
  }
}

function notice(seq: number, text = ""): SessionEvent {
  return { seq, at: 0, record: { type: "notice", level: "info", code: "n", text } };
}

function piece(seq: number): SessionEvent {
  return { seq, at: 0, record: { type: "text-delta", stepId: toStepId("s"), delta: "a" } };
}

function counted(count: number): readonly number[] {
  return Array.from({ length: count }, (_none, at) => at + 1);
}

test("from any number on, every event comes once and in order, whatever was pruned and whoever read before", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { maxLength: 200 }),
      fc.array(fc.integer({ min: 0, max: 320 }), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 0, max: 40 }),
      async (seqs, begins, more) => {
        const sorted = seqs.toSorted((one, other) => one - other);
        const journal = new Journal(sorted);
        for (const [at, after] of begins.entries()) {
          journal.events.push(...(at % 2 === 0 ? [] : counted(more)).map((next) => notice(320 + at * 50 + next)));
          const expected = journal.events.filter(({ seq }) => seq > after);
          expect(await journal.from(after)).toEqual(expected);
        }
      },
    ),
    { numRuns: runs(200) },
  );
});

test("what one client has read is read again for no other, and is the very same", async () => {
  const journal = new Journal(counted(eventsPerSharedPage * 4));
  const [first] = await journal.from(0);
  const once = journal.reads;
  const others = await Promise.all([0, 0, 5, eventsPerSharedPage * 2].map((after) => journal.from(after)));
  expect(others[0]?.[0]).toBe(first);
  // Each of them asks once more what follows the end.
  expect(journal.reads - once).toBeLessThanOrEqual(others.length * 2);
});

test("clients that ask for a page at once wait for one reading of it", async () => {
  const journal = new Journal(counted(eventsPerSharedPage));
  await Promise.all([1, 2, 3].map((after) => journal.pages.read(after, 500, true)));
  expect(journal.reads).toBe(1);
});

test("a page with pieces is read each time: what is pruned later is handed to nobody who comes later", async () => {
  const journal = new Journal([]);
  journal.events = counted(eventsPerSharedPage).map((seq) => (seq < 10 ? piece(seq) : notice(seq)));
  expect(await journal.from(0)).toHaveLength(eventsPerSharedPage);
  journal.events = journal.events.filter(({ seq }) => seq >= 10);
  expect((await journal.from(0)).map(({ seq }) => seq)).toEqual(journal.events.map(({ seq }) => seq));
});

test("what is kept stays below its bound, and is gone when nobody shares it", async () => {
  const journal = new Journal(
    counted(eventsPerSharedPage * 12),
    "x".repeat(maxSharedCharacters / 4 / eventsPerSharedPage),
  );
  for (const after of [0, 0, 7]) {
    await journal.from(after);
    expect(journal.pages.heldCharacters).toBeLessThanOrEqual(maxSharedCharacters);
  }
  expect(journal.pages.heldCharacters).toBeGreaterThan(0);
  journal.pages.forget();
  expect(journal.pages.heldCharacters).toBe(0);
});

test("for a single client nothing is kept", async () => {
  const journal = new Journal(counted(eventsPerSharedPage * 4));
  expect(await journal.from(0, false)).toHaveLength(eventsPerSharedPage * 4);
  expect(journal.pages.heldCharacters).toBe(0);
});

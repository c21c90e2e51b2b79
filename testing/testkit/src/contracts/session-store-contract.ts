import {
  AppError,
  type JournalRecord,
  type SessionEvent,
  type SessionId,
  type SessionSummary,
  toSessionId,
} from "@capstan/protocol";
import type { AppendBatch } from "@capstan/ports";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs, slowTest } from "../tier.ts";
import { type Check, checkWith, type StoreUnderTest, type TestFunction, using } from "./session-store-check.ts";
import { everything } from "./plain-session-store.ts";
import {
  abandoned,
  approval,
  configured,
  delta,
  ended,
  finished,
  notice,
  opened,
  output,
  resolved,
  retrying,
  started,
  titled,
  turn,
} from "./sample-records.ts";
import { grantPromises } from "./session-store-grants.ts";
import { changePromises } from "./session-store-changes.ts";
import { draftPromises } from "./session-store-drafts.ts";
import { chainPromises } from "./session-store-chain.ts";
import { leasePromises } from "./session-store-leases.ts";
import { statePromises } from "./session-store-states.ts";
import { storeSteps, takeSteps } from "./session-store-steps.ts";

/**
 * What every `SessionStore` promises. Call it at the top level of a test file.
 * @param name  of the implementation
 * @param make  an empty store; called once per test, and often by the properties
 * @param many  what tests with a thousand sessions: `test` where these take no time
 */
export function sessionStoreContract(
  name: string,
  make: () => Promise<StoreUnderTest>,
  many: TestFunction = slowTest,
): void {
  describe(`session store contract: ${name}`, () => {
    const check = checkWith(test, make);
    journalPromises(check);
    pagePromises(check);
    pruningPromises(check);
    indexPromises(check);
    inboxPromises(check);
    lifetimePromises(check);
    clockPromises(check);
    leasePromises(check);
    chainPromises(check);
    statePromises(check);
    grantPromises(check);
    changePromises(check, checkWith(many, make));
    draftPromises(check);
    modelPromise(make);
  });
}

function journalPromises(check: Check): void {
  check("an unknown session has no events and no summary", async ({ store }) => {
    expect(await store.read(sessionA, 0)).toEqual([]);
    expect(await store.list()).toEqual([]);
    expect(await store.findIds("", 10)).toEqual([]);
    expect(await store.pendingInteractions()).toEqual([]);
    await store.delete(sessionA);
  });

  check("numbers start at 1 and continue without a hole, per session", async ({ store }) => {
    expect(await store.append(sessionA, batch(0, [notice("a"), notice("b")], 10))).toEqual([
      { seq: 1, at: 10, record: notice("a") },
      { seq: 2, at: 10, record: notice("b") },
    ]);
    expect(await numbersOf(store.append(sessionB, batch(0, [notice("c")])))).toEqual([1]);
    expect(await numbersOf(store.append(sessionA, batch(2, [notice("d")])))).toEqual([3]);
  });

  check("what is read is what was appended, after the number asked for, oldest first", async ({ store }) => {
    const records = oddTexts.flatMap((text) => [
      notice(text),
      delta("s1", text),
      delta("s1", text),
      output(text, text),
    ]);
    const events = await store.append(sessionA, batch(0, records, 7, true));
    for (let after = 0; after <= events.length; after += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      expect(await store.read(sessionA, after)).toEqual(events.slice(after));
    }
  });

  check("a writer who does not know the last number gets session.busy, and nothing is written", async ({ store }) => {
    await store.append(sessionA, batch(0, [delta("s1", "a"), started("/work"), opened("i1")], 1));
    const before = await everything(store);
    for (const after of [0, 1, 2, 4, -1]) {
      // oxlint-disable-next-line no-await-in-loop -- one failure after the other
      await expectBusy(store.append(sessionA, batch(after, [abandoned("s1"), resolved("i1"), turn("t", "late")], 9)));
    }
    await expectBusy(store.append(sessionB, batch(1, [notice("no such session")])));
    await expectBusy(store.append(sessionA, batch(2, [])));
    expect(await everything(store)).toEqual(before);
    expect(await numbersOf(store.append(sessionA, batch(3, [notice("fine")])))).toEqual([4]);
  });

  check("of two appends at once with the same last number, exactly one is stored", async ({ store }) => {
    const outcomes = await Promise.allSettled([
      store.append(sessionA, batch(0, [notice("one")], 1, true)),
      store.append(sessionA, batch(0, [notice("two")])),
    ]);
    expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await store.read(sessionA, 0)).length).toBe(1);
  });

  check("an append of nothing changes nothing", async ({ store }) => {
    expect(await store.append(sessionA, batch(0, [], 5, true))).toEqual([]);
    expect(await store.list()).toEqual([]);
    await store.append(sessionA, batch(0, [notice("a")], 6));
    expect(await store.append(sessionA, batch(1, [], 99))).toEqual([]);
    expect((await store.list()).map((session) => session.updatedAt)).toEqual([6]);
  });

  check("a deleted session is gone everywhere, and no other", async ({ store }) => {
    for (const id of [sessionA, sessionB]) {
      // oxlint-disable-next-line no-await-in-loop -- one session after the other
      await store.append(id, batch(0, [started("/work"), opened("i1"), delta("s1", "x")]));
    }
    const kept = (await store.list()).filter((session) => session.id === sessionB);
    await store.delete(sessionA);
    expect(await store.read(sessionA, 0)).toEqual([]);
    expect(await store.list()).toEqual(kept);
    expect((await store.pendingInteractions()).map((pending) => pending.sessionId)).toEqual([sessionB]);
    expect((await store.read(sessionB, 0)).length).toBe(3);
  });
}

function pagePromises(check: Check): void {
  check(
    "a page before any number is what a full read has there, the newest first to be asked for",
    async ({ store }) => {
      const pieces = [delta("s1", "a"), delta("s1", "b"), delta("s1", "c")];
      await store.append(
        sessionA,
        batch(0, [notice("a"), ...pieces, notice("b"), output("c1", "d"), output("c1", "e")]),
      );
      await store.append(sessionA, batch(7, [notice("c")], 2));
      const all = await store.read(sessionA, 0);
      for (const before of [null, 9, 8, 7, 6, 5, 4, 3, 2, 1]) {
        for (const limit of [1, 2, 3, 100]) {
          // oxlint-disable-next-line no-await-in-loop -- one question after the other
          const page = await store.readBefore(sessionA, before, limit);
          const earlier = all.filter((event) => before === null || event.seq < before);
          expect(page).toEqual(earlier.slice(earlier.length - page.length));
          expect(page.length).toBeGreaterThanOrEqual(Math.min(limit, earlier.length));
        }
      }
      expect(await store.readBefore(sessionB, null, 5)).toEqual([]);
    },
  );
}

function pruningPromises(check: Check): void {
  check("superseded deltas are gone, others stay, and their numbers are never given again", async ({ store }) => {
    await store.append(sessionA, batch(0, [delta("s1", "a"), delta("s2", "b"), output("c1", "d"), delta("s1", "e")]));
    await store.append(sessionB, batch(0, [delta("s1", "other session")]));
    await store.append(sessionA, batch(4, [abandoned("s1")]));
    expect(await numbersOf(store.read(sessionA, 0))).toEqual([2, 3, 5]);
    await store.append(sessionA, batch(5, [finished("c1")]));
    expect(await numbersOf(store.read(sessionA, 0))).toEqual([2, 5, 6]);
    expect(await numbersOf(store.read(sessionB, 0))).toEqual([1]);
  });

  check("a superseding record reaches back inside its own batch, never forward", async ({ store }) => {
    const records = [delta("s1", "void"), retrying("s1"), delta("s1", "shown"), delta("s2", "x"), delta("s1", "more")];
    expect(await numbersOf(store.append(sessionA, batch(0, records)))).toEqual([1, 2, 3, 4, 5]);
    expect(await numbersOf(store.read(sessionA, 0))).toEqual([2, 3, 4, 5]);
    expect(await numbersOf(store.read(sessionA, 3))).toEqual([4, 5]);
  });

  check("two calls whose odd names look alike are two scopes", async ({ store }) => {
    const names = ["a\u0000b", "a\u0000c", "a", "\ud800", "\udc00", "\ufffd"];
    await store.append(
      sessionA,
      batch(
        0,
        names.map((name) => output(name, "x")),
      ),
    );
    await store.append(sessionA, batch(names.length, [finished("a\u0000b"), finished("\ud800")]));
    expect(await numbersOf(store.read(sessionA, 0))).toEqual([2, 3, 5, 6, 7, 8]);
  });
}

function indexPromises(check: Check): void {
  check("the index follows the records, newest activity first", async ({ store }) => {
    await store.append(sessionA, batch(0, [started("/a"), configured("anthropic", "large")], 100));
    await store.append(sessionB, batch(0, [started("/b", { sessionId: sessionA, seq: 2 })], 200));
    expect(await store.list()).toEqual([
      { ...blank(sessionB, 200), cwd: "/b", forkedFrom: sessionA },
      { ...blank(sessionA, 100), cwd: "/a", model: "anthropic/large" },
    ]);
    await store.append(sessionA, batch(2, [turn("t1", "\n  Fix the parser\nplease")], 300));
    await store.append(sessionA, batch(3, [ended("t1"), configured("openai", "small")], 400));
    expect(await store.list()).toEqual([
      {
        ...blank(sessionA, 100),
        title: "Fix the parser",
        cwd: "/a",
        model: "openai/small",
        updatedAt: 400,
        turns: 1,
        lastOutcome: "done",
      },
      { ...blank(sessionB, 200), cwd: "/b", forkedFrom: sessionA },
    ]);
    await store.append(sessionA, batch(5, [turn("t2", "Another has not ended")], 500));
    expect((await store.list())[0]).not.toHaveProperty("lastOutcome");
  });

  check("a title that a user gives stands in place of the first words, and the last one counts", async ({ store }) => {
    const titles = async (): Promise<readonly string[]> => (await store.list()).map((session) => session.title);
    await store.append(sessionA, batch(0, [started("/a"), titled("Parser"), turn("t1", "Repair the parser")]));
    expect(await titles()).toEqual(["Parser"]);
    await store.append(sessionA, batch(3, [turn("t2", "More"), titled("  Lexer\u202e\nand more")]));
    expect(await titles()).toEqual(["Lexer"]);
    expect(await store.check(sessionA)).toEqual([]);
    await store.restore(sessionB, await store.read(sessionA, 0));
    expect(await titles()).toEqual(["Lexer", "Lexer"]);
    await store.append(sessionA, batch(5, [titled(" \n "), notice("an empty title takes the other away")]));
    expect(await titles()).toEqual(["Lexer", "Repair the parser"]);
    expect(await store.check(sessionA)).toEqual([]);
  });

  check("ids are found by their beginning, literally, and never more than asked for", async ({ store }) => {
    for (const id of ["ab1", "ab2", "ab3", "a%", "a_", "b"]) {
      // oxlint-disable-next-line no-await-in-loop -- one session after the other
      await store.append(toSessionId(id), batch(0, [notice("x")]));
    }
    expect(await store.findIds("ab", 10)).toEqual(["ab1", "ab2", "ab3"]);
    expect(await store.findIds("ab", 2)).toEqual(["ab1", "ab2"]);
    expect(await store.findIds("ab", 0)).toEqual([]);
    expect(await store.findIds("a%", 10)).toEqual(["a%"]);
    expect(await store.findIds("a_", 10)).toEqual(["a_"]);
    expect(await store.findIds("ab22", 10)).toEqual([]);
    expect((await store.findIds("", 10)).length).toBe(6);
  });
}

function inboxPromises(check: Check): void {
  check("the inbox holds what was opened and not resolved, oldest first", async ({ store }) => {
    await store.append(sessionB, batch(0, [opened("i2"), opened("i1"), opened("i3")], 20));
    await store.append(sessionA, batch(0, [opened("i1")], 10));
    await store.append(sessionB, batch(3, [resolved("i1"), resolved("unknown")], 30));
    expect(await store.pendingInteractions()).toEqual([
      { sessionId: sessionA, openedAt: 10, interaction: approval("i1") },
      { sessionId: sessionB, openedAt: 20, interaction: approval("i2") },
      { sessionId: sessionB, openedAt: 20, interaction: approval("i3") },
    ]);
  });

  check("the list says how much of each session waits for a user, for as long as it does", async ({ store }) => {
    const waiting = async (): Promise<readonly unknown[]> =>
      (await store.list()).map((session) => [session.id, session.waiting]);
    await store.append(sessionA, batch(0, [started("/a"), opened("i1"), opened("i2")], 20));
    await store.append(sessionB, batch(0, [started("/b")], 10));
    expect(await waiting()).toEqual([
      [sessionA, 2],
      [sessionB, undefined],
    ]);
    await store.append(sessionA, batch(3, [resolved("i1")], 30));
    expect((await waiting())[0]).toEqual([sessionA, 1]);
    await store.append(sessionA, batch(4, [resolved("i2")], 40));
    expect((await waiting())[0]).toEqual([sessionA, undefined]);
  });

  check("an interaction that is resolved in the batch that opens it never waits", async ({ store }) => {
    await store.append(sessionA, batch(0, [opened("i1"), resolved("i1"), opened("i2"), resolved("i2"), opened("i2")]));
    expect((await store.pendingInteractions()).map((pending) => pending.interaction.id)).toEqual(["i2"]);
  });
}

function lifetimePromises(check: Check): void {
  check("close may be called twice, and a closed store refuses everything", async ({ store }) => {
    await store.append(sessionA, batch(0, [notice("a")]));
    await store.close();
    await store.close();
    await expect(store.append(sessionA, batch(1, [notice("b")]))).rejects.toBeInstanceOf(AppError);
    await expect(store.read(sessionA, 0)).rejects.toBeInstanceOf(AppError);
    await expect(store.list()).rejects.toBeInstanceOf(AppError);
  });

  check("another store over the same data sees everything acknowledged, open or closed", async ({ store, reopen }) => {
    if (reopen === undefined) return;
    await store.append(sessionA, batch(0, [started("/a"), delta("s1", "x"), opened("i1")]));
    const second = await reopen();
    expect(await everything(second)).toEqual(await everything(store));
    await store.append(sessionA, batch(3, [abandoned("s1")]));
    await expectBusy(second.append(sessionA, batch(3, [notice("stale")])));
    expect(await numbersOf(second.append(sessionA, batch(4, [delta("s2", "y")])))).toEqual([5]);
    const last = await everything(second);
    await store.close();
    await second.close();
    const third = await reopen();
    expect(await everything(third)).toEqual(last);
    await third.close();
  });

  check("numbers of pruned deltas at the end are not given again after a restart", async ({ store, reopen }) => {
    await store.append(sessionA, batch(0, [delta("s1", "a"), abandoned("s1")]));
    await store.append(sessionA, batch(2, [delta("s1", "late")]));
    await store.append(sessionA, batch(3, [finished("c"), retrying("s1")]));
    await store.close();
    if (reopen === undefined) return;
    const again = await reopen();
    expect(await numbersOf(again.append(sessionA, batch(5, [notice("on")])))).toEqual([6]);
    await again.close();
  });
}

function clockPromises(check: Check): void {
  check("a clock that jumps by years changes what is shown, never the order or the chain", async ({ store }) => {
    const times = [1_700_000_000_000, 5, 32_503_680_000_000, -1, 0];
    for (const [after, at] of times.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- one append after the other
      await store.append(sessionA, batch(after, [notice(`${after}`)], at));
    }
    await store.append(sessionB, batch(0, [notice("b")], 1));
    const events = await store.read(sessionA, 0);
    expect(events.map(({ seq, at }) => [seq, at])).toEqual(times.map((at, index) => [index + 1, at]));
    expect((await store.list()).map(({ id, updatedAt }) => [id, updatedAt])).toEqual([
      [sessionB, 1],
      [sessionA, 0],
    ]);
    expect(await store.check(sessionA)).toEqual([]);
  });
}

function modelPromise(make: () => Promise<StoreUnderTest>): void {
  test("any appends, refused appends, deletions and restarts leave what a plain array would hold", async () => {
    const property = fc.asyncProperty(storeSteps, async (steps) => {
      await using(make, async (under) => {
        const { actual, expected } = await takeSteps(under, steps);
        expect(actual).toEqual(expected);
      });
    });
    await fc.assert(property, { numRuns: propertyRuns });
  });
}

/** A run costs an empty store, about 10 ms with SQLite. */
const propertyRuns = runs(100);

const sessionA = toSessionId("01aaaaaaaaaaaaaaaaaaaaaaaa");
const sessionB = toSessionId("01bbbbbbbbbbbbbbbbbbbbbbbb");
const oddTexts = [
  "",
  "plain",
  "a\u0000b",
  "\ud800 alone",
  "\u{1f9ed}\u200d",
  '"\\',
  "\u2028\r\n\u001b[31m",
  "x".repeat(70_000),
];

function batch(after: number, records: readonly JournalRecord[], at = 1, flush = false): AppendBatch {
  return { after, at, records, flush };
}

function blank(sessionId: SessionId, at: number): SessionSummary {
  return { id: sessionId, title: "", cwd: "", model: "", createdAt: at, updatedAt: at, turns: 0 };
}

async function numbersOf(events: Promise<readonly SessionEvent[]>): Promise<readonly number[]> {
  return (await events).map((event) => event.seq);
}

async function expectBusy(append: Promise<unknown>): Promise<void> {
  await expect(append).rejects.toMatchObject({ code: "session.busy" });
}

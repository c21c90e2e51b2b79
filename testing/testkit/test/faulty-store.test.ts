import type { SessionStore } from "@capstan/ports";
import { type JournalRecord, toSessionId } from "@capstan/protocol";
import { createMemoryStore } from "@capstan/storage";
import { expect, test } from "vitest";
import { type AppendFault, type FaultPlan, type FaultyStore, faultyStore } from "../src/faulty-store.ts";
import { sessionStoreContract } from "../src/contracts/session-store-contract.ts";

const id = toSessionId("01a");
const notice: JournalRecord = { type: "notice", level: "info", code: "sample", text: "x" };

sessionStoreContract("faulty store without faults", async () => {
  const store = faultyStore(createMemoryStore(), { faults: [] });
  return { store, dispose: async () => store.close() };
});

/** Six appends, each with the number that is really the last. @returns the codes, or what was acknowledged */
async function sixAppends(store: FaultyStore, inner: SessionStore): Promise<readonly (string | number)[]> {
  const answers: (string | number)[] = [];
  for (let count = 0; count < 6; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one append after the other
    answers.push(await answerOf(store, (await inner.read(id, 0)).length));
  }
  return answers;
}

async function answerOf(store: SessionStore, after: number): Promise<string | number> {
  try {
    return (await store.append(id, { after, at: 1, records: [notice], flush: false })).at(-1)?.seq ?? 0;
  } catch (error) {
    return String(Reflect.get(Object(error), "code"));
  }
}

async function check(plan: FaultPlan, answers: readonly (string | number)[], stored: number): Promise<FaultyStore> {
  const inner = createMemoryStore();
  const store = faultyStore(inner, plan);
  expect(await sixAppends(store, inner)).toEqual(answers);
  expect((await inner.read(id, 0)).length).toBe(stored);
  return store;
}

test("an append fails once, before or after it was stored, with the planned code", async () => {
  const before: AppendFault = { append: 2, when: "before", code: "storage.full", isSticky: false };
  const after: AppendFault = { append: 4, when: "after", code: "session.busy", isSticky: false };
  const store = await check({ faults: [before, after] }, [1, "storage.full", 2, "session.busy", 4, 5], 5);
  expect(store.struck).toEqual([before, after]);
  expect([store.appends, store.calls, store.isDead]).toEqual([6, 6, false]);
});

test("a sticky fault stays until it is repaired", async () => {
  const fault: AppendFault = { append: 2, when: "after", code: "storage.failed", isSticky: true };
  const failed = Array.from({ length: 5 }, () => "storage.failed");
  const store = await check({ faults: [fault] }, [1, ...failed], 2);
  expect((await store.read(id, 0)).length).toBe(2);
  store.repair();
  expect(await answerOf(store, 2)).toBe(3);
});

test("who is killed never calls again, and what was stored is there for the next", async () => {
  const dead = Array.from({ length: 4 }, () => "storage.unavailable");
  const before = await check({ faults: [], kill: { call: 3, when: "before" } }, [1, 2, ...dead], 2);
  const after = await check({ faults: [], kill: { call: 3, when: "after" } }, [1, 2, ...dead], 3);
  for (const store of [before, after]) {
    expect(store.isDead).toBe(true);
    /* oxlint-disable no-await-in-loop -- one after the other */
    await expect(store.list()).rejects.toMatchObject({ code: "storage.unavailable" });
    await expect(store.close()).rejects.toMatchObject({ code: "storage.unavailable" });
    /* oxlint-enable no-await-in-loop */
  }
});

test("calls of every kind count, so that a kill hits between any two", async () => {
  const store = faultyStore(createMemoryStore(), { faults: [], kill: { call: 4, when: "after" } });
  const owner = { id: "1", processId: 1, processStart: "", bootId: "", processNamespace: "", frontend: "cli" };
  await store.claim(id, { owner, beatMs: 0, at: 0, isGone: () => false });
  await store.append(id, { after: 0, at: 1, records: [notice], flush: false, generation: 1 });
  await store.renew(id, 1, 5);
  await expect(store.read(id, 0)).rejects.toMatchObject({ code: "storage.unavailable" });
  await expect(store.holder(id)).rejects.toMatchObject({ code: "storage.unavailable" });
  expect(store.calls).toBe(5);
});

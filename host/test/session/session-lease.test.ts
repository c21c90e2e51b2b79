import { AppError, type SessionId, toSessionId } from "@capstan/protocol";
import type { SessionStore } from "@capstan/ports";
import { createMemoryStore } from "@capstan/storage";
import { FakeClock } from "@capstan/testkit";
import { expect, test } from "vitest";
import { bootTimeMs, processIdentity } from "@capstan/storage";
import { SessionLease } from "../../src/session/session-lease.ts";

const sessionId: SessionId = toSessionId("session");
const beatMs = 5000;

function claim(store: SessionStore, clock = new FakeClock()): Promise<SessionLease> {
  return SessionLease.claim({ store, clock, sessionId, id: "next", frontend: "cli" });
}

/** A store in which a running process has the session, and last renewed it so many ms ago. */
async function heldSince(silentMs: number): Promise<SessionStore> {
  const store = createMemoryStore();
  const owner = { ...processIdentity(), id: "first", frontend: "cli" };
  const beat = Math.max(0, bootTimeMs() - silentMs);
  const answer = await store.claim(sessionId, { owner, beatMs: beat, at: 0, isGone: () => false });
  expect(answer.type).toBe("granted");
  return store;
}

test.each([0, 6_000, 29_000])("a running holder that was silent for %i ms keeps its session", async (silentMs) => {
  const store = await heldSince(silentMs);
  await expect(claim(store)).rejects.toThrow(AppError);
  expect((await store.holder(sessionId))?.owner.id).toBe("first");
});

test("a running holder that was silent for more than 30 seconds has lost it", async () => {
  const store = await heldSince(31_000);
  const lease = await claim(store);
  expect((await store.holder(sessionId))?.owner.id).toBe("next");
  await lease.release();
});

test("a beat that fails once is followed by the next", async () => {
  const memory = createMemoryStore();
  const clock = new FakeClock();
  let isFull = false;
  let beats = 0;
  const store: SessionStore = {
    ...memory,
    renew: async (...args) => {
      beats += 1;
      if (isFull) throw new Error("the disk is full");
      return await memory.renew(...args);
    },
  };
  const lease = await claim(store, clock);
  isFull = true;
  clock.advance(beatMs);
  await settled(clock);
  isFull = false;
  clock.advance(beatMs);
  await settled(clock);
  expect(beats).toBe(2);
  await lease.release();
  expect(clock.waitingMs).toEqual([]);
});

/** Waits until the next beat is planned; at most a few turns of the event loop. */
async function settled(clock: FakeClock): Promise<void> {
  for (let turn = 0; turn < 20 && clock.waitingMs.length === 0; turn += 1) await Promise.resolve();
}

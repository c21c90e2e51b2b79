import type { HeldLease, LeaseAnswer, LeaseClaim, LeaseOwner, SessionStore } from "@capstan/ports";
import { type SessionId, toSessionId } from "@capstan/protocol";
import { expect } from "vitest";
import type { Check } from "./session-store-check.ts";
import { everything } from "./plain-session-store.ts";
import { notice, opened, started } from "./sample-records.ts";

/** One writer, and nobody who was taken over. */
export function leasePromises(check: Check): void {
  claimPromises(check);
  fencePromises(check);
  sharedLeasePromises(check);
}

function claimPromises(check: Check): void {
  check(
    "a session is claimed by one, also before it exists, and the holder is reported to others",
    async ({ store }) => {
      expect(await store.holder(session)).toBeNull();
      expect(await store.claim(session, claim("a", { beatMs: 5, at: 7 }))).toEqual({ type: "granted", generation: 1 });
      const holder: HeldLease = { owner: owner("a"), generation: 1, beatMs: 5, claimedAt: 7 };
      expect(await store.holder(session)).toEqual(holder);
      expect(await store.claim(session, claim("b"))).toEqual({ type: "held", holder });
      expect(await store.holder(session)).toEqual(holder);
      expect(await store.holder(other)).toBeNull();
      expect(await store.list()).toEqual([]);
    },
  );

  check(
    "who is asked whether the holder is gone sees the holder, and is asked only when there is one",
    async (under) => {
      const { store } = under;
      const seen: HeldLease[] = [];
      const isGone = (holder: HeldLease): boolean => {
        seen.push(holder);
        return false;
      };
      await store.claim(session, claim("a", { isGone }));
      await store.claim(session, claim("b", { isGone }));
      expect(seen.map((holder) => holder.owner)).toEqual([owner("a")]);
    },
  );

  check("generations grow over takeovers, and over leases given back", async ({ store }) => {
    expect(await generationsOf(store, ["a", "b", "c"])).toEqual([1, 2, 3]);
    await store.release(session, 3);
    expect(await store.holder(session)).toBeNull();
    expect(await store.claim(session, claim("d"))).toEqual({ type: "granted", generation: 4 });
  });

  check("a beat counts for the holder alone", async ({ store }) => {
    await takeOver(store, "a");
    expect(await store.renew(session, 1, 50)).toBe(true);
    expect(await store.holder(session)).toMatchObject({ generation: 1, beatMs: 50 });
    await takeOver(store, "b");
    expect(await store.renew(session, 1, 99)).toBe(false);
    expect(await store.renew(session, 3, 99)).toBe(false);
    expect(await store.renew(other, 1, 99)).toBe(false);
    expect(await store.holder(session)).toMatchObject({ owner: owner("b"), generation: 2, beatMs: 0 });
    await store.release(session, 2);
    expect(await store.renew(session, 2, 99)).toBe(false);
  });

  check("a lease that is somebody else's by now is not given back", async ({ store }) => {
    await generationsOf(store, ["a", "b"]);
    await store.release(session, 1);
    await store.release(other, 1);
    expect(await store.holder(session)).toMatchObject({ owner: owner("b") });
  });
}

function fencePromises(check: Check): void {
  check("only the last lease's holder appends, whatever numbers others know", async ({ store }) => {
    await generationsOf(store, ["a", "b"]);
    const append = async (after: number, generation?: number) => appendTo(store, after, generation);
    await append(0, 2);
    await store.append(other, { after: 0, at: 1, records: [notice("not leased")], flush: false });
    const before = await everything(store);
    for (const generation of [undefined, 0, 1, 3]) {
      // oxlint-disable-next-line no-await-in-loop -- one refusal after the other
      await expect(append(1, generation)).rejects.toMatchObject({
        code: "session.busy",
        message: expect.stringContaining("process 7 (b)") as unknown,
        hint: expect.stringMatching(/\.$/u) as unknown,
      });
    }
    expect(await everything(store)).toEqual(before);
    expect((await append(1, 2)).map((event) => event.seq)).toEqual([2]);
  });

  check("an append of nothing is refused like any other", async ({ store }) => {
    await generationsOf(store, ["a", "b"]);
    const nothing = async (generation?: number) =>
      store.append(session, { after: 0, at: 1, records: [], flush: false, ...leased(generation) });
    await expect(nothing(1)).rejects.toMatchObject({ code: "session.busy" });
    await expect(nothing()).rejects.toMatchObject({ code: "session.busy" });
    expect(await nothing(2)).toEqual([]);
  });

  check("a first append is refused while another holds the session, and nothing of it is stored", async ({ store }) => {
    await generationsOf(store, ["a", "b"]);
    for (const generation of [undefined, 1]) {
      // oxlint-disable-next-line no-await-in-loop -- one refusal after the other
      await expect(appendTo(store, 0, generation)).rejects.toMatchObject({ code: "session.busy" });
    }
    expect(await everything(store)).toEqual({ sessions: [], events: [], inbox: [], holders: [] });
  });

  check("a generation that was never given out does not open a session", async ({ store }) => {
    await expect(appendTo(store, 0, 1)).rejects.toMatchObject({ code: "session.busy" });
    expect(await store.list()).toEqual([]);
  });

  check(
    "when the lease was given back, writers without one may continue, and the one before the last may not",
    async (under) => {
      const { store } = under;
      await generationsOf(store, ["a", "b"]);
      await appendTo(store, 0, 2);
      await store.release(session, 2);
      await expect(appendTo(store, 1, 1)).rejects.toMatchObject({ code: "session.busy" });
      expect((await appendTo(store, 1)).map((event) => event.seq)).toEqual([2]);
    },
  );
}

function sharedLeasePromises(check: Check): void {
  check("a session that is held is not deleted; afterwards everything of it is gone", async ({ store }) => {
    await takeOver(store, "a");
    const records = [started("/work"), opened("i1")];
    await store.append(session, { after: 0, at: 1, records, flush: false, generation: 1 });
    await store.saveState(session, { seq: 2, format: "f", state: 1 });
    await expect(store.delete(session)).rejects.toMatchObject({ code: "session.busy" });
    expect((await store.read(session, 0)).length).toBe(2);
    await store.release(session, 1);
    await store.delete(session);
    expect(await everything(store)).toEqual({ sessions: [], events: [], inbox: [], holders: [] });
    await store.append(session, { after: 0, at: 1, records: [...records, notice("x")], flush: false });
    expect(await store.loadState(session, "f")).toBeNull();
  });

  check("another store over the same data knows the lease", async ({ store, reopen }) => {
    await takeOver(store, "a");
    await appendTo(store, 0, 1);
    if (reopen === undefined) return;
    const second = await reopen();
    expect(await second.holder(session)).toMatchObject({ owner: owner("a"), generation: 1 });
    await takeOver(second, "b");
    await expect(appendTo(store, 1, 1)).rejects.toMatchObject({ code: "session.busy" });
    expect((await appendTo(second, 1, 2)).map((event) => event.seq)).toEqual([2]);
    await second.close();
  });
}

const session = toSessionId("01aaaaaaaaaaaaaaaaaaaaaaaa");
const other = toSessionId("01bbbbbbbbbbbbbbbbbbbbbbbb");

function owner(frontend: string): LeaseOwner {
  return {
    id: `${frontend}\u0000"1`,
    processId: 7,
    processStart: "12",
    bootId: "boot",
    processNamespace: "4026",
    frontend,
  };
}

/** A claim that does not take over. */
function claim(frontend: string, changed: Partial<LeaseClaim> = {}): LeaseClaim {
  return { owner: owner(frontend), beatMs: 0, at: 0, isGone: () => false, ...changed };
}

async function takeOver(store: SessionStore, frontend: string): Promise<LeaseAnswer> {
  return store.claim(session, claim(frontend, { isGone: () => true }));
}

/** Each takes over from the one before. */
async function generationsOf(store: SessionStore, frontends: readonly string[]): Promise<readonly number[]> {
  const generations: number[] = [];
  for (const frontend of frontends) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const answer = await takeOver(store, frontend);
    if (answer.type === "granted") generations.push(answer.generation);
  }
  return generations;
}

async function appendTo(store: SessionStore, after: number, generation?: number, id: SessionId = session) {
  return store.append(id, { after, at: 1, records: [notice("x")], flush: false, ...leased(generation) });
}

function leased(generation: number | undefined): { readonly generation?: number } {
  return generation === undefined ? {} : { generation };
}

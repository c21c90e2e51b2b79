import { createHash } from "node:crypto";
import type { ChainedEvent } from "@capstan/ports";
import {
  deltaScope,
  type JournalRecord,
  type JsonObject,
  type SessionEvent,
  storedRecord,
  toSessionId,
} from "@capstan/protocol";
import * as fc from "fast-check";
import { expect } from "vitest";
import { runs } from "../tier.ts";
import type { Check } from "./session-store-check.ts";
import { everything } from "./plain-session-store.ts";
import { abandoned, delta, finished, notice, opened, output, retrying, started, turn } from "./sample-records.ts";
import { sampleRecord } from "./session-store-steps.ts";

/** Links between records, checking them, and journals that move from store to store. */
export function chainPromises(check: Check): void {
  linkPromises(check);
  restorePromises(check);
}

function linkPromises(check: Check): void {
  check("every record but the deltas is linked to the one before it, over appends and pruned deltas", async (under) => {
    const { store } = under;
    expect(await store.readChained(session)).toEqual([]);
    const first = [started("/work"), delta("s1", "a"), notice("\ud800\u0000\u2028"), output("c1", "b"), retrying("s1")];
    const second = [finished("c1"), delta("s2", "kept")];
    const events = [
      ...(await store.append(session, { after: 0, at: 10, records: first, flush: true })),
      ...(await store.append(session, { after: 5, at: -3, records: second, flush: false })),
    ].filter(({ seq }) => seq !== 2 && seq !== 4);
    expect(await store.readChained(session)).toEqual(linked(events));
    expect(await store.read(session, 0)).toEqual(events);
    expect(await store.check(session)).toEqual([]);
  });

  check("nothing is wrong with a session that is not there", async ({ store }) => {
    expect(await store.check(session)).toEqual([]);
  });
}

function restorePromises(check: Check): void {
  check("a journal is restored as it was: numbers, times, gaps, links, index and inbox", async ({ store }) => {
    const records: readonly JournalRecord[] = [
      delta("s1", "gone"),
      started("/work"),
      turn("t1", "Fix it"),
      delta("s1", "gone"),
      abandoned("s1"),
      opened("i1"),
      delta("s2", "kept"),
      delta("s2", "also"),
    ];
    for (const [after, record] of records.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- one append after the other
      await store.append(session, { after, at: 100 - after, records: [record], flush: false });
    }
    const events = await store.read(session, 0);
    await store.restore(copy, events);
    expect(await store.readChained(copy)).toEqual(await store.readChained(session));
    expect(events.map((event) => event.seq)).toEqual([2, 3, 5, 6, 7, 8]);
    expect(await store.check(copy)).toEqual([]);
    const [restored, original] = await Promise.all([copy, session].map(async (id) => listed(store, id)));
    expect(restored).toEqual({ ...original, id: copy, createdAt: 99 });
    expect(await store.pendingInteractions()).toEqual(
      [session, copy].map((sessionId) => expect.objectContaining({ sessionId, openedAt: 95 }) as unknown),
    );
    const next = await store.append(copy, { after: 8, at: 1, records: [abandoned("s2")], flush: false });
    expect(next.map((event) => event.seq)).toEqual([9]);
    expect(await store.check(copy)).toEqual([]);
  });

  check("any journal has the same links where it is restored, under any id", async ({ store }) => {
    let number = 0;
    const property = fc.asyncProperty(
      fc.array(fc.tuple(fc.array(sampleRecord, { minLength: 1, maxLength: 6 }), fc.integer()), { maxLength: 6 }),
      async (batches) => {
        number += 1;
        const [from, to] = [toSessionId(`from-${number}`), toSessionId(`to-${number}`)];
        let after = 0;
        for (const [records, at] of batches) {
          // oxlint-disable-next-line no-await-in-loop -- one append after the other
          after = (await store.append(from, { after, at, records, flush: false })).at(-1)?.seq ?? after;
        }
        const original = await store.readChained(from);
        // What a file can hold of it.
        const events: readonly SessionEvent[] = JSON.parse(JSON.stringify(await store.read(from, 0)));
        await store.restore(to, events);
        expect(await store.readChained(to)).toEqual(original);
        expect(original).toEqual(linked(await store.read(from, 0)));
        expect([await store.check(from), await store.check(to)]).toEqual([[], []]);
      },
    );
    await fc.assert(property, { numRuns: propertyRuns });
  });

  check("a journal is not restored over another, nor under somebody's lease, nor out of order", async ({ store }) => {
    const events = await store.append(session, { after: 0, at: 1, records: [notice("a"), notice("b")], flush: false });
    const owner = { id: "1", processId: 1, processStart: "", bootId: "", processNamespace: "", frontend: "cli" };
    const claim = await store.claim(copy, { owner, beatMs: 0, at: 0, isGone: () => false });
    expect(claim.type).toBe("granted");
    const before = await everything(store);
    await expect(store.restore(session, events)).rejects.toMatchObject({ code: "session.busy" });
    await expect(store.restore(session, [])).rejects.toMatchObject({ code: "session.busy" });
    await expect(store.restore(copy, events)).rejects.toMatchObject({ code: "session.busy" });
    for (const wrong of [events.toReversed(), [...events, ...events], events.map((event) => ({ ...event, seq: 0 }))]) {
      // oxlint-disable-next-line no-await-in-loop -- one refusal after the other
      await expect(store.restore(toSessionId("third"), wrong)).rejects.toMatchObject({ code: "storage.corrupt" });
    }
    await store.restore(toSessionId("third"), []);
    expect(await everything(store)).toEqual(before);
  });
}

const session = toSessionId("01aaaaaaaaaaaaaaaaaaaaaaaa");
const copy = toSessionId("01copy");

/** An empty store serves all runs. */
const propertyRuns = runs(60);

/** The chain as the port's contract has it. */
function linked(events: readonly SessionEvent[]): readonly ChainedEvent[] {
  let link = "0".repeat(64);
  return events.map((event) => {
    const body = JSON.stringify(storedRecord(event.record));
    const stored: JsonObject = JSON.parse(body);
    if (deltaScope(event.record) !== undefined) return { ...event, hash: null, stored };
    link = createHash("sha256").update(`${link} ${event.seq} ${event.at} ${body}`).digest("hex");
    return { ...event, hash: link, stored };
  });
}

async function listed(store: Parameters<Parameters<Check>[1]>[0]["store"], id: string) {
  return (await store.list()).find((summary) => summary.id === id);
}

import { type JsonValue, toSessionId } from "@capstan/protocol";
import { expect } from "vitest";
import type { Check } from "./session-store-check.ts";
import { notice } from "./sample-records.ts";

/** Saved states: copies for speed. */
export function statePromises(check: Check): void {
  check("a saved state is loaded as it was, by whoever can read its format", async ({ store, reopen }) => {
    expect(await store.loadState(session, "f1")).toBeNull();
    await store.append(session, { after: 0, at: 1, records: [notice("a"), notice("b")], flush: false });
    for (const state of states) {
      /* oxlint-disable no-await-in-loop -- one state after the other */
      await store.saveState(session, { seq: 1, format: "f1", state });
      expect(await store.loadState(session, "f1")).toEqual({ seq: 1, format: "f1", state });
      expect(await store.loadState(session, "f2")).toBeNull();
      /* oxlint-enable no-await-in-loop */
    }
    await store.saveState(session, { seq: 2, format: "f2", state: "newer" });
    expect(await store.loadState(session, "f1")).toBeNull();
    const again = reopen === undefined ? store : await reopen();
    expect(await again.loadState(session, "f2")).toEqual({ seq: 2, format: "f2", state: "newer" });
    await again.close();
  });

  check("a state of records that are not stored is not loaded", async ({ store }) => {
    await store.saveState(session, { seq: 0, format: "f", state: 0 });
    await store.saveState(session, { seq: 1, format: "f", state: 1 });
    expect(await store.loadState(session, "f")).toBeNull();
    await store.append(session, { after: 0, at: 1, records: [notice("a"), notice("b")], flush: false });
    expect(await store.loadState(session, "f")).toBeNull();
    await store.saveState(session, { seq: 3, format: "f", state: 3 });
    expect(await store.loadState(session, "f")).toBeNull();
  });

  check("a saved state is no part of the journal: it moves no number and no activity", async ({ store }) => {
    await store.append(session, { after: 0, at: 5, records: [notice("a")], flush: false });
    const before = [await store.readChained(session), await store.list()];
    await store.saveState(session, { seq: 1, format: "f", state: { large: "x".repeat(100_000) } });
    expect([await store.readChained(session), await store.list()]).toEqual(before);
    expect(await store.check(session)).toEqual([]);
  });
}

const session = toSessionId("01aaaaaaaaaaaaaaaaaaaaaaaa");
const states: readonly JsonValue[] = [
  null,
  0,
  "a\u0000\ud800",
  [],
  { nested: [{ deep: true }], text: "\u2028" },
  JSON.parse('{"__proto__": {"own": 1}}'),
];

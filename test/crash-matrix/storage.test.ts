/** The journal cannot be written: in each phase, at each append, before and after it took effect. */
import { isDeepStrictEqual } from "node:util";
import type { JournalRecord } from "@capstan/protocol";
import { createMemoryStore } from "@capstan/storage";
import { checkInvariants, faultyStore, inTurn, pruned, type ToolExecution } from "@capstan/testkit";
import { expect, test } from "vitest";
import { journalOf } from "../../core/runtime/test/open-session.ts";
import { journeyWith, live } from "./stage/journey.ts";
import { phases } from "./stage/phases.ts";
import { appendsIn } from "./stage/watched-store.ts";

const codes = ["storage.full", "storage.failed", "session.busy"] as const;
const whens = ["before", "after"] as const;
const cases = phases.flatMap((phase, at) => inTurn(codes, "storage", at).map((code) => ({ phase, code })));

test.for(cases)(
  "$phase, $code: the session stops and says so, keeps what was acknowledged, and continues once the cause is gone",
  async ({ phase, code }) => {
    const journey = journeyWith(phase);
    const appends = await appendsIn(phase);
    expect(appends.length).toBeGreaterThan(0);
    for (const append of appends)
      for (const when of whens) {
        const disk = createMemoryStore();
        const store = faultyStore(disk, { faults: [{ append, when, code, isSticky: true }] });
        const log: ToolExecution[] = [];
        /* oxlint-disable no-await-in-loop -- one fault after the other */
        const first = await live({ journey, store, log, hangs: phase === "P7" });
        expect(store.struck.length).toBeGreaterThan(0);
        expect(first.fault).toMatchObject({ code });
        // An append that took effect and was reported as failed is kept and was not shown; nothing else differs.
        const kept = await journalOf(disk);
        expect(isDeepStrictEqual(kept, pruned(first.shown))).toBe(when === "before");
        expect(settled(kept).slice(0, settled(first.shown).length)).toEqual(settled(first.shown));

        store.repair();
        const next = await live({ journey, store, log });
        expect(next.fault).toBeNull();
        expect(count(log, "b")).toBeLessThanOrEqual(1);
        expect(count(log, "c")).toBeLessThanOrEqual(1);
        const journal = await journalOf(disk);
        expect(journal.at(-1)).toMatchObject({ type: journey.compacts ? "compaction-completed" : "turn-ended" });
        expect([...checkInvariants(journal)]).toEqual([]);
        /* oxlint-enable no-await-in-loop */
      }
  },
);

/** Without the pieces that later records supersede. */
function settled(records: readonly JournalRecord[]): readonly JournalRecord[] {
  return records.filter(({ type }) => !type.endsWith("-delta"));
}

function count(log: readonly ToolExecution[], callId: string): number {
  return log.filter((execution) => execution.callId === callId).length;
}

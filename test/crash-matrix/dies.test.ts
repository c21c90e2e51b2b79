/** The process ends, or the power fails, in each phase; the next process continues as the matrix says. */
import type { SessionStore } from "@capstan/ports";
import type { SessionEvent } from "@capstan/protocol";
import { createMemoryStore } from "@capstan/storage";
import { type AppendFault, faultyStore, type ToolExecution } from "@capstan/testkit";
import { describe, expect, test } from "vitest";
import { sessionId } from "../../core/runtime/test/open-session.ts";
import { checkPromise, continueAfter, wrongIn } from "./stage/died.ts";
import { journeyWith, live } from "./stage/journey.ts";
import { phases, type Phase } from "./stage/phases.ts";
import { appendsIn } from "./stage/watched-store.ts";

/** From this append on nothing is written any more: to a journal that is how a death looks. */
function diesAt(append: number, when: "before" | "after" = "before"): { readonly faults: readonly AppendFault[] } {
  return { faults: [{ append, when, code: "storage.failed", isSticky: true }] };
}

/** The first process lives up to this append. */
async function dieIn(phase: Phase, append: number, disk: SessionStore): Promise<ToolExecution[]> {
  const log: ToolExecution[] = [];
  const store = faultyStore(disk, diesAt(append));
  const life = await live({ journey: journeyWith(phase), store, log, hangs: phase === "P7" });
  expect(life.fault).not.toBeNull();
  return log;
}

/** What is on the disk when the power fails: everything up to the last flush, as it was then. */
class UnpluggedDisk {
  readonly store: SessionStore;
  #flushed: readonly SessionEvent[] = [];

  constructor() {
    const memory = createMemoryStore();
    this.store = {
      ...memory,
      append: async (id, batch) => {
        const events = await memory.append(id, batch);
        if (batch.flush) this.#flushed = await memory.read(id, 0);
        return events;
      },
    };
  }

  async pluggedInAgain(): Promise<SessionStore> {
    const store = createMemoryStore();
    if (this.#flushed.length > 0) await store.restore(sessionId, this.#flushed);
    return store;
  }
}

describe.each(phases)("in %s", (phase) => {
  /** Of the appends of this phase, those before which the first process dies. */
  const deaths = async (): Promise<readonly number[]> => {
    const appends = await appendsIn(phase);
    expect(appends.length).toBeGreaterThan(0);
    // The very first append brings the words: before it there is no session.
    return appends.filter((append) => append > 1);
  };

  test("the process ends: the next one continues as promised, and nothing happens twice", async () => {
    for (const append of await deaths()) {
      const disk = createMemoryStore();
      /* oxlint-disable no-await-in-loop -- one death after the other */
      const log = await dieIn(phase, append, disk);
      const aftermath = await continueAfter(journeyWith(phase), disk, log);
      expect(wrongIn(aftermath)).toEqual([]);
      checkPromise(phase, aftermath);
      /* oxlint-enable no-await-in-loop */
    }
  });

  test("the process ends, and the next three end while they recover: the fifth continues, and nothing happens twice", async () => {
    for (const append of await deaths()) {
      const disk = createMemoryStore();
      /* oxlint-disable no-await-in-loop -- one death after the other */
      const log = await dieIn(phase, append, disk);
      const journey = journeyWith(phase);
      for (const plan of [diesAt(1), diesAt(1, "after"), diesAt(2)])
        await live({ journey, store: faultyStore(disk, plan), log });
      expect(wrongIn(await continueAfter(journey, disk, log))).toEqual([]);
      /* oxlint-enable no-await-in-loop */
    }
  });

  test("the power fails: what was flushed is there, the next process continues, and nothing happens twice", async () => {
    for (const append of await deaths()) {
      const disk = new UnpluggedDisk();
      /* oxlint-disable no-await-in-loop -- one death after the other */
      const log = await dieIn(phase, append, disk.store);
      const aftermath = await continueAfter(journeyWith(phase), await disk.pluggedInAgain(), log);
      expect(wrongIn(aftermath)).toEqual([]);
      /* oxlint-enable no-await-in-loop */
    }
  });
});

/** Another process comes to the session, or somebody sets the clock, in each phase. */
import type { HeldLease, LeaseOwner, SessionStore } from "@capstan/ports";
import { AppError } from "@capstan/protocol";
import { createMemoryStore } from "@capstan/storage";
import type { ToolExecution } from "@capstan/testkit";
import { describe, expect, test } from "vitest";
import { journalOf, sessionId } from "../../core/runtime/test/open-session.ts";
import { continueAfter, wrongIn } from "./stage/died.ts";
import { journeyWith, live } from "./stage/journey.ts";
import { phases } from "./stage/phases.ts";
import { QuickClock } from "./stage/quick-clock.ts";
import { watchedStore } from "./stage/watched-store.ts";

const yearMs = 365 * 24 * 60 * 60 * 1000;

function ownerNamed(id: string): LeaseOwner {
  return { id, processId: 1, processStart: "1", bootId: "b", processNamespace: "n", frontend: "cli" };
}

function claim(store: SessionStore, id: string, isGone: (holder: HeldLease) => boolean) {
  return store.claim(sessionId, { owner: ownerNamed(id), beatMs: 0, at: 0, isGone });
}

describe.each(phases)("in %s", (phase) => {
  const journey = journeyWith(phase);

  test("a second process is shown who holds the session, and the first one is unharmed", async () => {
    const disk = createMemoryStore();
    const log: ToolExecution[] = [];
    expect(await claim(disk, "first", () => false)).toEqual({ type: "granted", generation: 1 });
    const answers: unknown[] = [];
    const store = watchedStore(disk, async (current, _number, batch) => {
      if (current === phase) {
        const answer = await claim(disk, "second", () => false);
        answers.push(answer.type === "held" ? answer.holder.owner.id : answer);
        // Whoever writes all the same, without the right to, is refused.
        const forged = { ...batch, records: [], generation: 2 };
        answers.push(await disk.append(sessionId, forged).then(() => "stored", codeOf));
      }
      return { ...batch, generation: 1 };
    });
    expect((await live({ journey, store, log })).fault).toBeNull();
    expect(answers.slice(0, 2)).toEqual(["first", "session.busy"]);
    expect(new Set(answers).size).toBe(2);
    expect(log.length).toBe(journey.compacts ? 0 : 3);
  });

  test("a process that was stopped, and wakes up after another has taken over, writes and does nothing more", async () => {
    const disk = createMemoryStore();
    const log: ToolExecution[] = [];
    await claim(disk, "first", () => false);
    let taken: unknown;
    let ranThen = 0;
    const store = watchedStore(disk, async (current, number, batch) => {
      if (current === phase && number > 1 && taken === undefined) {
        ranThen = log.length;
        taken = await claim(disk, "second", () => true);
      }
      return { ...batch, generation: 1 };
    });
    const first = await live({ journey, store, log, hangs: phase === "P7" });
    expect(first.fault).toMatchObject({ code: "session.busy" });
    expect(taken).toEqual({ type: "granted", generation: 2 });
    expect(log.length).toBe(ranThen);
    const second = watchedStore(disk, (_phase, _number, batch) => ({ ...batch, generation: 2 }));
    expect(wrongIn(await continueAfter(journey, second, log))).toEqual([]);
  });

  test.for([1, -1])(
    "a calendar that jumps by %i year changes nothing, alive or between two processes",
    async (years) => {
      const clock = new QuickClock();
      const log: ToolExecution[] = [];
      let dieNext = false;
      const disk = createMemoryStore();
      const jumping = (store: SessionStore): SessionStore =>
        watchedStore(store, (current, number, batch) => {
          if (current === phase && number > 1) clock.jumpMs += years * yearMs;
          if (current === phase && number > 1 && dieNext) throw new Error("the process died");
          return batch;
        });
      expect((await live({ journey, store: jumping(createMemoryStore()), clock })).fault).toBeNull();
      expect(Math.abs(clock.jumpMs)).toBeGreaterThanOrEqual(yearMs);
      dieNext = true;
      expect((await live({ journey, store: jumping(disk), log, clock, hangs: phase === "P7" })).fault).not.toBeNull();
      clock.jumpMs = -clock.jumpMs;
      expect(wrongIn(await continueAfter(journey, disk, log))).toEqual([]);
      const seqs = (await disk.read(sessionId, 0)).map(({ seq }) => seq);
      expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
      expect((await journalOf(disk)).length).toBe(seqs.length);
    },
  );
});

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : String(error);
}

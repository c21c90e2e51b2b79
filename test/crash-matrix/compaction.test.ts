/** The model call of a compaction fails as any other can: the history stays whole, and the summary is made again or given up. */
import type { JournalRecord } from "@capstan/protocol";
import type { SessionRuntime } from "@capstan/runtime";
import { createMemoryStore } from "@capstan/storage";
import { checkInvariants, providerFailure, type ScriptedCall } from "@capstan/testkit";
import { expect, test } from "vitest";
import { journalOf } from "../../core/runtime/test/open-session.ts";
import { journeyWith, live } from "./stage/journey.ts";
import { QuickClock } from "./stage/quick-clock.ts";

const journey = journeyWith("P10");
const pieces = [[{ type: "text-delta", delta: "half a summ\uFFFD" } as const]];
const longMs = 600_000;

function failing(code: "provider.network" | "provider.timeout" | "provider.http" | "provider.protocol"): ScriptedCall {
  return { type: "fail", pieces, failure: providerFailure({ code }) };
}

const faults: readonly (readonly [string, ScriptedCall])[] = [
  ["a stream that ends too early", { type: "cut", pieces }],
  ["a broken connection", failing("provider.network")],
  ["silence", failing("provider.timeout")],
  ["a refusal by an overloaded vendor", failing("provider.http")],
  ["events that make no sense", failing("provider.protocol")],
];

/** The journey, with these calls in place of its summary, or before it. */
async function summarise(calls: readonly ScriptedCall[]): Promise<readonly JournalRecord[]> {
  const store = createMemoryStore();
  const clock = new QuickClock();
  const onOpen = (session: SessionRuntime): void => {
    session.subscribe(({ record }) => {
      // The timer is set after everyone has received it.
      if (record.type === "step-retrying") setImmediate(() => clock.advance(longMs));
    });
  };
  const script = [...journey.script.slice(0, 3), ...calls];
  expect((await live({ journey: { ...journey, script }, store, clock, onOpen })).fault).toBeNull();
  return journalOf(store);
}

test.for(faults)(
  "%s, once: the summary is asked for again, and nothing of the first one is used",
  async ([, fault]) => {
    const journal = await summarise([fault, ...journey.script.slice(3)]);
    expect(journal.at(-1)).toMatchObject({ type: "compaction-completed", summary: "the summary" });
    expect(journal.filter(({ type }) => type === "step-retrying")).toHaveLength(1);
    expect([...checkInvariants(journal)]).toEqual([]);
  },
);

test.for(faults)("%s, again and again: it is given up, and the history stays as it was", async ([, fault]) => {
  const journal = await summarise([fault, fault, fault, fault]);
  expect(journal.at(-1)).toMatchObject({ type: "compaction-failed" });
  expect(journal.filter(({ type }) => type === "turn-ended")).toHaveLength(journey.turns.length);
  expect([...checkInvariants(journal)]).toEqual([]);
});

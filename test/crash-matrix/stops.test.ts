/** A request to stop, as every signal and every reader that goes away become one, in each phase. */
import type { JournalRecord } from "@capstan/protocol";
import type { SessionRuntime } from "@capstan/runtime";
import { createMemoryStore } from "@capstan/storage";
import { checkInvariants, textAnswer, type ToolExecution } from "@capstan/testkit";
import { expect, test } from "vitest";
import { journalOf } from "../../core/runtime/test/open-session.ts";
import { type Journey, journeyWith, live } from "./stage/journey.ts";
import { phases } from "./stage/phases.ts";
import { watchedStore } from "./stage/watched-store.ts";

test.for(phases)("in %s it ends what runs, answers every call, and the session continues", async (phase) => {
  const journey = journeyWith(phase);
  const disk = createMemoryStore();
  const log: ToolExecution[] = [];
  let session: SessionRuntime | undefined;
  let isAsked = false;
  const store = watchedStore(disk, (current, number, batch) => {
    if (current === phase && number > 1 && !isAsked) {
      isAsked = true;
      void session?.submit({ type: "cancel", reason: "terminated" });
    }
    return batch;
  });
  const onOpen = (opened: SessionRuntime): void => {
    session = opened;
  };
  const first = await live({ journey, store, log, onOpen, hangs: phase === "P7" });
  expect([isAsked, first.fault]).toEqual([true, null]);
  const stopped = await journalOf(disk);
  const isCompacted = stopped.at(-1)?.type.startsWith("compaction-");
  const outcome = stopped.at(-1)?.type === "turn-ended" ? stopped.findLast(isEnd)?.outcome : undefined;
  expect(phase === "P10" ? isCompacted : outcome).toBe(phase === "P10" ? true : "terminated");

  const later: Journey = {
    turns: [...journey.turns, "later"],
    script: Array.from({ length: 9 }, () => ({ type: "answer", finish: textAnswer("later") })),
    compacts: false,
  };
  const next = await live({ journey: later, store: disk, log });
  expect(next.fault).toBeNull();
  const journal = await journalOf(disk);
  expect(journal.at(-1)).toMatchObject({ type: "turn-ended", outcome: "done" });
  expect([...checkInvariants(journal)]).toEqual([]);
  for (const callId of ["b", "c"])
    expect(log.filter((execution) => execution.callId === callId).length).toBeLessThanOrEqual(1);
});

function isEnd(record: JournalRecord): record is Extract<JournalRecord, { type: "turn-ended" }> {
  return record.type === "turn-ended";
}

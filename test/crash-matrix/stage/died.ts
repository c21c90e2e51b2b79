import type { SessionStore } from "@capstan/ports";
import type { JournalRecord } from "@capstan/protocol";
import { unreachable } from "@capstan/protocol";
import { checkInvariants, type ToolExecution } from "@capstan/testkit";
import { expect } from "vitest";
import { journalOf } from "../../../core/runtime/test/open-session.ts";
import { type Journey, type Life, live } from "./journey.ts";
import type { Phase } from "./phases.ts";

/** A session whose process died, and what the next one made of it. */
export interface Aftermath {
  /** What the dead process had left. */
  readonly kept: readonly JournalRecord[];
  readonly next: Life;
  readonly journal: readonly JournalRecord[];
  readonly log: readonly ToolExecution[];
  /** How often something had begun to run when the process died. */
  readonly ranBefore: number;
}

/** The next process continues to the end, and every turn is there once. */
export async function continueAfter(journey: Journey, store: SessionStore, log: ToolExecution[]): Promise<Aftermath> {
  const kept = await journalOf(store);
  const ranBefore = log.length;
  const next = await live({ journey, store, log });
  expect(next.fault).toBeNull();
  const journal = await journalOf(store);
  expect(journal.filter(({ type }) => type === "turn-started")).toHaveLength(journey.turns.length);
  expect(journal.at(-1)).toMatchObject({ type: journey.compacts ? "compaction-completed" : "turn-ended" });
  return { kept, next, journal, log, ranBefore };
}

/** What is wrong whatever the phase: an effect that happened twice, a journal that is not whole. */
export function wrongIn({ journal, log }: Aftermath): readonly unknown[] {
  return [...checkInvariants(journal), ...["b", "c"].filter((callId) => timesRun(log, callId) > 1)];
}

/** What the matrix promises for a process that ended in this phase. */
export function checkPromise(phase: Phase, { kept, next, journal, log, ranBefore }: Aftermath): void {
  switch (phase) {
    case "P1":
      expect(JSON.stringify(next.requests[0]?.messages.at(-1))).toContain('"t1"');
      return expect(ranBefore).toBe(0);
    case "P2":
    case "P3":
      expect(kept.some(({ type }) => type === "text-delta")).toBe(true);
      expect(journal.find(({ type }) => type === "step-abandoned")).toMatchObject({
        cause: "process-died",
        text: expect.stringMatching(/^I begin\./),
      });
      expect(JSON.stringify(next.requests[0])).not.toContain("tool-call");
      return expect([ranBefore, kept.filter(({ type }) => type === "tool-decided")]).toEqual([0, []]);
    case "P4":
      expect(ranBefore).toBe(0);
      return expect(typesIn(next.shown, "interaction-opened")).toBe(1);
    case "P5":
      expect(next.asked).toEqual(
        kept.flatMap((record) => (record.type === "interaction-opened" ? [record.interaction] : [])),
      );
      expect(next.asked).toHaveLength(1);
      return expect(timesRun(log.slice(0, ranBefore), "b")).toBe(0);
    case "P6":
      expect(timesRun(log.slice(0, ranBefore), "b")).toBe(0);
      expect([typesIn(next.shown, "interaction-opened"), timesRun(log, "b")]).toEqual([0, 1]);
      return expect(outcomeOf(journal, "b")).toBe("done");
    case "P7":
    case "P8":
      expect(timesRun(log.slice(0, ranBefore), "b")).toBe(1);
      return expect(outcomeOf(journal, "b")).toBe("unknown");
    case "P9":
      expect([timesRun(log, "b"), outcomeOf(kept, "b"), outcomeOf(next.shown, "b")]).toEqual([1, "done", undefined]);
      return expect(outcomeOf(journal, "b")).toBe("done");
    case "P10":
      expect(kept.slice(0, -1)).toEqual(journal.slice(0, kept.length - 1));
      return expect(typesIn(journal, "compaction-completed")).toBe(1);
    default:
      return unreachable(phase);
  }
}

function timesRun(log: readonly ToolExecution[], callId: string): number {
  return log.filter((execution) => execution.callId === callId).length;
}

function typesIn(records: readonly JournalRecord[], type: JournalRecord["type"]): number {
  return records.filter((record) => record.type === type).length;
}

function outcomeOf(records: readonly JournalRecord[], callId: string): string | undefined {
  const finished = records.find((record) => record.type === "tool-finished" && record.callId === callId);
  return finished?.type === "tool-finished" ? finished.outcome.type : undefined;
}

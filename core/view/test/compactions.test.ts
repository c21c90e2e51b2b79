import { contextReport } from "@capstan/session";
import { type JournalRecord, noUsage, type ReportedSummary, type SessionEvent, toStepId } from "@capstan/protocol";
import { playMoves, randomMoves, tester } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compactionsOf } from "../src/index.ts";

const [first, second] = [toStepId("s.c1"), toStepId("s.c2")];

function events(records: readonly JournalRecord[]): readonly SessionEvent[] {
  return records.map((record, at) => ({ seq: at + 1, at, record }));
}

function made(stepId: typeof first, messageCount: number): readonly JournalRecord[] {
  return [
    { type: "compaction-started", stepId, messageCount, attempt: 1 },
    { type: "compaction-completed", stepId, messageCount, summary: "words", usage: noUsage, costUsd: 0.5 },
  ];
}

function has(compaction: typeof first, isShown: boolean): ReportedSummary {
  return { compaction, messageCount: 4, isShown, text: "words", kept: [] };
}

test("a list of compactions says which is shown, who wrote it, which failed, and which is gone", () => {
  const failing: readonly JournalRecord[] = [
    { type: "compaction-started", stepId: toStepId("s.c3"), messageCount: 9, attempt: 1, reason: "budget" },
    { type: "compaction-failed", stepId: toStepId("s.c3"), message: "cancelled" },
  ];
  const edited: JournalRecord = { type: "compaction-edited", stepId: first, summary: "mine", origin: tester };
  const all = events([...made(first, 4), ...made(second, 8), edited, ...failing]);
  const listedWith = (summaries: readonly ReportedSummary[]): unknown =>
    compactionsOf(all, summaries).map(({ compaction, state, by, reason }) => [compaction, state, by, reason]);
  const failed = ["s.c3", "failed", "model", "budget"];
  expect(listedWith([has(first, true), has(second, false)])).toEqual([
    [first, "shown", "user", "asked"],
    [second, "kept", "model", "asked"],
    failed,
  ]);
  expect(listedWith([has(first, true)])).toEqual([
    [first, "shown", "user", "asked"],
    [second, "gone", "model", "asked"],
    failed,
  ]);
});

test("whatever was done, the list names every summary that the session has", () => {
  fc.assert(
    fc.property(randomMoves, fc.nat(100), (moves, variant) => {
      const { journal, state } = playMoves(moves, variant);
      const summaries = contextReport(state)?.summaries ?? [];
      const listed = compactionsOf(events(journal), summaries).filter(
        ({ state: now }) => now === "shown" || now === "kept",
      );
      const own = summaries.filter(({ compaction }) => compaction !== null);
      expect(listed.map(({ compaction }) => compaction)).toEqual(own.map(({ compaction }) => compaction));
    }),
  );
});

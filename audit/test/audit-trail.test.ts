import { createMemoryStore } from "@capstan/storage";
import { configVariants, lookedSession, playMoves, randomMoves, runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { auditTrail } from "../src/audit-trail.ts";
import type { ChainedEvent } from "@capstan/ports";
import type { JournalRecord } from "@capstan/protocol";

const { id, records } = lookedSession;

async function chained(journal: readonly JournalRecord[]): Promise<readonly ChainedEvent[]> {
  const store = createMemoryStore();
  await store.append(id, { after: 0, at: 1_700_000_000_000, records: journal, flush: true });
  return store.readChained(id);
}

test("who asked, what was answered, what allowed it, what ran and what came out, in order, each with its link", async () => {
  const events = await chained(records);
  const trail = auditTrail(events);
  expect(trail.map((entry) => entry.what)).toMatchObject([
    { type: "opened", directory: "/", version: "1.2.3" },
    { type: "configured", model: "test/model-1", mode: "default" },
    { type: "asked", text: "look at it", by: { frontend: "cli" } },
    { type: "model-called", model: "test/model-1" },
    { type: "answered", text: "I look.", calls: [{ call: "call-1", tool: "look" }], costUsd: 0.0045 },
    { type: "judged", action: "look file.txt", verdict: "allow", reason: "it only reads" },
    { type: "ran", action: "look file.txt", digest: expect.any(String) },
    { type: "came-out", action: "look file.txt", outcome: "done", text: "seen" },
    { type: "model-called" },
    { type: "answered", text: "All is well.", calls: [] },
    { type: "ended", outcome: "done" },
  ]);
  expect(trail.map(({ seq, hash }) => ({ seq, hash }))).toEqual(events.map(({ seq, hash }) => ({ seq, hash })));
});

test("what was judged and what ran carry the same digest", async () => {
  const trail = auditTrail(await chained(records));
  const digests = trail.flatMap(({ what }) => ("digest" in what ? [what.digest] : []));
  expect(new Set(digests).size).toBe(1);
});

test("of any journal, every judgement, start and outcome of a call is reported", async () => {
  await fc.assert(
    fc.asyncProperty(randomMoves, fc.nat(configVariants - 1), async (moves, variant) => {
      const events = await chained(playMoves(moves, variant).journal);
      const reported = new Set(auditTrail(events).map((entry) => entry.seq));
      const missing = events.filter(({ seq, record }) => needed.has(record.type) && !reported.has(seq));
      expect(missing).toEqual([]);
    }),
    { numRuns: runs(60) },
  );
});

const needed: ReadonlySet<JournalRecord["type"]> = new Set([
  "turn-started",
  "step-completed",
  "tool-decided",
  "tool-started",
  "tool-probed",
  "tool-finished",
  "interaction-opened",
  "interaction-resolved",
  "turn-ended",
]);

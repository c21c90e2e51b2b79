import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type JournalRecord,
  type SessionEvent,
  toSessionId,
  toToolCallId,
  toTurnId,
  userText,
} from "@capstan/protocol";
import type { FactStore } from "@capstan/ports";
import { openFactStore } from "@capstan/storage";
import { expect, onTestFinished, test } from "vitest";
import { JournalReader, type ReadJournals } from "../src/journal-reader.ts";

const id = toSessionId("01aaaaaaaaaaaaaaaaaaaaaaaa");

function said(text: string): JournalRecord {
  return { type: "turn-started", turnId: toTurnId("t1"), content: userText(text), origin: { frontend: "test" } };
}

const changed: JournalRecord = {
  type: "tool-finished",
  callId: toToolCallId("c1"),
  outcome: { type: "done", content: "edited" },
  durationMs: 1,
  changes: [{ path: "cart.js", kind: "modified", addedLines: 1, removedLines: 1 }],
  observed: [{ path: "/w/cart.js", sha256: "a".repeat(64) }],
};

/** A journal that grows. */
function journal(): {
  readonly sessions: ReadJournals;
  readonly write: (...records: readonly JournalRecord[]) => void;
} {
  const events: SessionEvent[] = [];
  const sessions = {
    list: async () => [{ id, cwd: "/w", title: "", model: "m", createdAt: 0, updatedAt: 0, turns: 1 }],
    read: async (_id, after, limit) => events.filter(({ seq }) => seq > after).slice(0, limit),
    readBefore: async (_id, before, limit) => events.filter(({ seq }) => before === null || seq < before).slice(-limit),
  } satisfies ReadJournals;
  return {
    sessions,
    write(...records) {
      for (const record of records) events.push({ seq: events.length + 1, at: 1, record });
    },
  };
}

async function openStore(): Promise<FactStore> {
  const folder = mkdtempSync(join(tmpdir(), "capstan-facts-"));
  const store = await openFactStore(join(folder, "facts.db"));
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return store;
}

test("what a turn waited for and held no fact is stored by the reading after it; a fact is stored at once", async () => {
  const { sessions, write } = journal();
  const store = await openStore();
  write(said("Fix the rounding in cart.js."));
  const reader = new JournalReader(sessions, store);
  await reader.readFolder("/w", { isWaitedFor: true });
  expect(await store.readThrough(id)).toBe(0);
  await reader.readFolder("/w", {});
  expect(await store.readThrough(id)).toBe(1);
  write(said("Never change the public API!"), said("And now the tests."));
  await reader.readFolder("/w", { isWaitedFor: true });
  expect(await store.readThrough(id)).toBe(3);
  expect(await store.find({ cwd: "/w", limit: 9 })).toMatchObject([{ text: "Never change the public API!" }]);
});

test("a change is named after what was asked for, also where another process read that before", async () => {
  const { sessions, write } = journal();
  const store = await openStore();
  write(said("Fix the rounding."));
  await new JournalReader(sessions, store).readFolder("/w", {});
  write(changed);
  await new JournalReader(sessions, store).readFolder("/w", { isWaitedFor: true });
  expect(await store.find({ cwd: "/w", limit: 9 })).toMatchObject([
    { text: "cart.js was modified: Fix the rounding." },
  ]);
});

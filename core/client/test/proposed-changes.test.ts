/** What a session proposes, from what its records say. */
import {
  type FileEffect,
  type HistoryPage,
  type JournalRecord,
  type Proposal,
  toSessionId,
  toToolCallId,
  toTurnId,
} from "@capstan/protocol";
import { expect, test } from "vitest";
import { proposedChanges } from "../src/index.ts";

const cwd = "/w";

function effect(path: string): FileEffect {
  return { path, before: null, after: { blob: "a", mode: "100644" } };
}

function proposal(id: string, call: string, path: string): Proposal {
  return { id, turnId: toTurnId("t"), callId: toToolCallId(call), summary: `write ${path}`, files: [effect(path)] };
}

function finished(call: string, path: string): JournalRecord {
  return {
    type: "tool-finished",
    callId: toToolCallId(call),
    outcome: { type: "proposed", content: "" },
    changes: [{ path, kind: "created", addedLines: 1, removedLines: 0, diff: `+${call}` }],
    observed: [],
    durationMs: 1,
  };
}

function leftAlone(path: string): JournalRecord {
  return {
    type: "proposals-applied",
    applyId: "a1",
    applied: [],
    conflicts: [{ path, reason: "somebody changed it" }],
  };
}

/** Pages of one record, newest first. */
function historyOf(records: readonly JournalRecord[]): {
  readonly asked: () => number;
  history: (id: unknown, before: number | null) => Promise<HistoryPage>;
} {
  let asked = 0;
  return {
    asked: () => asked,
    history: async (_id, before) => {
      asked += 1;
      const seq = (before ?? records.length + 1) - 1;
      const record = records[seq - 1];
      return {
        events: record === undefined ? [] : [{ seq, at: 0, record }],
        before: seq <= 1 ? null : seq,
      };
    },
  };
}

const of = {
  proposals: [proposal("p1", "c1", "/w/a"), proposal("p2", "c2", "/w/b")],
  workspace: { cwd, roots: [cwd] },
};

test("each proposed file has what its call said of it, and why it was left alone; nothing older than the calls is read", async () => {
  const history = historyOf([finished("c0", "a"), finished("c1", "a"), leftAlone("/w/a"), finished("c2", "/w/b")]);
  const found = await proposedChanges(history, toSessionId("s"), of);
  expect(found.map(({ change, leftAlone: reason }) => [change?.diff, reason])).toEqual([
    ["+c1", "somebody changed it"],
    ["+c2", undefined],
  ]);
  expect(history.asked()).toBe(3);
});

test("what was left alone before it was proposed again is not held against the new proposal, and a lost record against none", async () => {
  const history = historyOf([leftAlone("/w/b"), finished("c2", "/w/b")]);
  const found = await proposedChanges(history, toSessionId("s"), of);
  expect(found.map(({ effect: { path }, change, leftAlone: reason }) => [path, change?.diff, reason])).toEqual([
    ["/w/a", undefined, undefined],
    ["/w/b", "+c2", undefined],
  ]);
});

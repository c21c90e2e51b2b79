import { type JournalRecord, toTurnId } from "@capstan/protocol";
import { expect, test } from "vitest";
import { itemsOf } from "../../src/transcript/persistent-list.ts";
import { reduce } from "../../src/transcript/reduce.ts";
import { emptyTranscript } from "../../src/transcript/transcript.ts";

const origin = { frontend: "test" };

function started(name: string): JournalRecord {
  return { type: "turn-started", turnId: toTurnId(name), content: [], origin };
}

function rewind(direction: "back" | "forth", keepTurns: number, conversation = true): readonly JournalRecord[] {
  const rewindId = `${direction}.${keepTurns}`;
  return [
    { type: "rewind-started", rewindId, direction, keepTurns, conversation, files: [], origin },
    { type: "rewind-finished", rewindId, restored: [], conflicts: [] },
  ];
}

function numbered(...records: readonly JournalRecord[]): readonly (readonly [string, number])[] {
  const events = records.map((record, at) => ({ seq: at + 1, at: 0, record }));
  return [...itemsOf(events.reduce(reduce, emptyTranscript).turns)].map(({ turnId }, at) => [turnId, at + 1]);
}

test("turns are numbered as they can be named now: what was taken back has no number, and its number is used again", () => {
  expect(numbered(started("a"), started("b"), ...rewind("back", 1), started("c"))).toEqual([
    ["a", 1],
    ["c", 2],
  ]);
});

test("what is brought back has its numbers again", () => {
  const two = [started("a"), started("b")];
  expect(numbered(...two, ...rewind("back", 1), ...rewind("back", 0), ...rewind("forth", 1))).toEqual([["a", 1]]);
  expect(numbered(...two, ...rewind("back", 1, false), ...rewind("forth", 2))).toHaveLength(2);
});

test("a turn that left no trace has no number", () => {
  const nothingKept = {
    type: "turn-ended",
    turnId: toTurnId("a"),
    outcome: "provider-failed",
    rolledBack: true,
  } as const;
  expect(numbered(started("a"), nothingKept, started("b"))).toEqual([["b", 1]]);
});

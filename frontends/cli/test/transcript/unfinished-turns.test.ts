import { type JournalRecord, toSessionId, toTurnId, userText } from "@capstan/protocol";
import { tester } from "@capstan/testkit";
import { expect, test } from "vitest";
import { UnfinishedTurns } from "../../src/transcript/unfinished-turns.ts";

const [first, second] = [toTurnId("t1"), toTurnId("t2")];
const about = { content: userText("words"), origin: tester };

test("turns that began or wait are named until they end, leave the queue, or reach another turn; the second time, too", () => {
  const turns = new UnfinishedTurns();
  const after = (record: JournalRecord): boolean => {
    turns.take(record);
    return turns.hint(toSessionId("s")) === " What is not finished waits: capstan resume s";
  };
  expect([
    after({ type: "turn-started", turnId: first, ...about }),
    after({ type: "turn-queued", turnId: second, ...about }),
    after({ type: "turn-ended", turnId: first, outcome: "done", rolledBack: false }),
    after({ type: "queue-changed", turnId: second, change: { type: "moved", before: null }, origin: tester }),
    after({ type: "queue-changed", turnId: second, change: { type: "removed" }, origin: tester }),
    after({ type: "turn-started", turnId: first, ...about }),
    after({ type: "turn-queued", turnId: second, ...about }),
    after({ type: "turn-steered", turnId: first, inputId: second, ...about }),
    after({ type: "turn-ended", turnId: first, outcome: "done", rolledBack: false }),
  ]).toEqual([true, true, true, true, false, true, true, true, false]);
});

import { conversation, fold, outlined, type SessionState } from "@capstan/session";
import { playMoves, randomMoves, runs } from "@capstan/testkit";
import type { JournalRecord, Message } from "@capstan/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const journals = fc.tuple(randomMoves, fc.nat(100)).map(([moves, variant]) => playMoves(moves, variant).journal);

test("a fold without long texts has the shape of the whole one", () => {
  fc.assert(
    fc.property(journals, fc.constantFrom("long ", " \n", "x"), (journal, filling) => {
      const long = journal.map((record) => lengthened(record, filling.repeat(50)));
      const [whole, outline] = [fold(long), fold(long.map(outlined))];
      expect(shapeOf(outline)).toEqual(shapeOf(whole));
    }),
    { numRuns: runs(300) },
  );
});

test("what is left of an answer, a call and a result is short, and what a user said is whole", () => {
  const text = "word ".repeat(1000);
  const { journal } = playMoves([], 0);
  const lengths = journal.map((record) => JSON.stringify(outlined(lengthened(record, text))).length);
  expect(Math.max(...lengths.filter((_, at) => isCut(journal[at])), 0)).toBeLessThan(1500);
  const whole = journal.filter((record) => !isCut(record));
  expect(whole.map(outlined)).toEqual(whole);
});

function isCut(record: JournalRecord | undefined): boolean {
  return record?.type === "step-completed" || record?.type === "tool-finished";
}

/** The record with more text wherever a model or a tool wrote some. */
function lengthened(record: JournalRecord, text: string): JournalRecord {
  if (record.type === "tool-finished" && record.outcome.type === "done")
    return { ...record, outcome: { ...record.outcome, content: `${text}${record.outcome.content}` } };
  if (record.type !== "step-completed") return record;
  const content = record.message.content.map((block) =>
    block.type === "text" || block.type === "thinking" ? { ...block, text: `${text}${block.text}` } : block,
  );
  return { ...record, message: { ...record.message, content } };
}

function shapeOf(state: SessionState): unknown {
  return {
    operation: state.operation.type,
    turnIds: state.turnIds,
    queued: state.queued,
    tasks: state.tasks,
    messages: conversation(state).map(messageShape),
  };
}

function messageShape({ role, content }: Message): unknown {
  return [
    role,
    content.map((block) => [
      block.type,
      "callId" in block ? block.callId : "",
      "text" in block ? block.text.trim() === "" : false,
    ]),
  ];
}

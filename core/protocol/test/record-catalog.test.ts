import {
  deltaScope,
  errorCatalog,
  exitCodes,
  type JournalRecord,
  needsFlush,
  recordCatalog,
  supersededScope,
  toInteractionId,
  toStepId,
  toToolCallId,
  usageExitCode,
} from "@capstan/protocol";
import { expect, test } from "vitest";

const stepId = toStepId("s1");
const callId = toToolCallId("c1");
const delta: JournalRecord = { type: "text-delta", stepId, delta: "x" };
const output: JournalRecord = { type: "tool-output-delta", callId, stream: "stdout", delta: "x" };
const abandoned: JournalRecord = { type: "step-abandoned", stepId, cause: "failed", text: "" };
const started: JournalRecord = { type: "tool-started", callId, digest: "", settle: { files: [] } };
const finished: JournalRecord = {
  type: "tool-finished",
  callId,
  outcome: { type: "done", content: "" },
  changes: [],
  observed: [],
  durationMs: 1,
};

test("a delta belongs to its step or call, and the record that ends it makes it superfluous", () => {
  expect([delta, output, abandoned, finished].map(deltaScope)).toEqual(["s1", "c1", undefined, undefined]);
  expect([delta, output, started, abandoned, finished].map(supersededScope)).toEqual([
    undefined,
    undefined,
    undefined,
    "s1",
    "c1",
  ]);
});

test.each<[string, readonly JournalRecord[], readonly string[], boolean]>([
  ["nothing", [], [], false],
  ["deltas", [delta, output], [], false],
  ["an effect's start", [started], [], true],
  ["an effect's end", [finished], [], true],
  ["a read's start and end", [started, finished], ["c1"], false],
  ["a read beside an effect's start", [finished, { ...started, callId: toToolCallId("c2") }], ["c1"], true],
  [
    "an answer",
    [
      {
        type: "interaction-resolved",
        interactionId: toInteractionId("i"),
        answer: { type: "stop" },
        origin: { frontend: "x" },
      },
    ],
    [],
    true,
  ],
])("whether it must be on disk first: %s", (_name, records, reads, expected) => {
  expect(needsFlush(records, (id) => reads.includes(id))).toBe(expected);
});

test("every record says what it is, and the deltas are those that are pruned", () => {
  const entries = Object.entries(recordCatalog);
  expect(entries.filter(([, traits]) => !traits.about.endsWith("."))).toEqual([]);
  expect(entries.flatMap(([type, traits]) => (traits.durability === "delta" ? [type] : []))).toEqual([
    "text-delta",
    "thinking-delta",
    "tool-arguments-delta",
    "tool-output-delta",
  ]);
});

test("every outcome has an exit code of its own, but for a loop, which is a limit, and proposals, which are what was wanted; none is that of wrong usage", () => {
  const { "loop-detected": loop, proposed, ...others } = exitCodes;
  const codes = Object.values(others);
  expect([loop, proposed]).toEqual([others["limit-reached"], others.done]);
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes).not.toContain(usageExitCode);
});

test("every error says what it is and what to do", () => {
  expect(Object.entries(errorCatalog).filter(([, { about, action }]) => about === "" || action === "")).toEqual([]);
});

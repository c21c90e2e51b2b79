import { exitCodes, type JournalRecord, toStepId, userText } from "@capstan/protocol";
import { message, sessionConfig, testUsage } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { jsonLine } from "@capstan/view";
import { type OutputFormat, runPrint } from "../src/run-print.ts";
import { FakeSession, identity, sessionId, turnEnded, turnStarted } from "./fake-session.ts";
import { capturedStreams } from "./captured-streams.ts";

/** What any reader takes for the end of a line. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const lineEnds = /[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/;

interface Printed {
  readonly exitCode: number;
  readonly lines: readonly unknown[];
  readonly progress: string;
}

/** Runs a turn in which these records follow the words, and reads what was printed line by line. */
async function print(format: OutputFormat, records: readonly JournalRecord[]): Promise<Printed> {
  const streams = capturedStreams();
  const { engine } = new FakeSession((submission, session) => {
    if (submission.type === "user-input") session.say(turnStarted(), ...records);
  });
  const target = { type: "new" } as const;
  const request = { client: engine, identity, target, content: userText("start"), onStop: () => () => undefined };
  const { outcome } = await runPrint(request, format, streams, "1.2.3");
  const text = streams.out();
  expect(text.endsWith("\n")).toBe(true);
  const lines = text.slice(0, -1).split("\n");
  expect(lines.filter((line) => lineEnds.test(line) || !line.isWellFormed())).toEqual([]);
  return {
    exitCode: exitCodes[outcome],
    lines: lines.map((line): unknown => JSON.parse(line)),
    progress: streams.progressText(),
  };
}

function completed(text: string): JournalRecord {
  return {
    type: "step-completed",
    stepId: toStepId("turn-1.s1"),
    message: message(text),
    reason: "stop",
    usage: testUsage,
    costUsd: null,
  };
}

const result = {
  type: "result",
  sessionId,
  exitCode: 0,
  durationMs: expect.any(Number),
  outcome: "done",
  text: "hi",
  usage: testUsage,
  costUsd: null,
  modelCalls: 1,
  toolCalls: 0,
  filesChanged: [],
  proposedChanges: [],
  deniedCalls: [],
};

test("json: one result object, and nothing else on either stream", async () => {
  expect(await print("json", [completed("hi"), turnEnded("done")])).toEqual({
    exitCode: 0,
    lines: [result],
    progress: "",
  });
});

test("stream-json: init first, then every event with its number, the result last", async () => {
  const records = [completed("hi"), turnEnded("done")];
  const { model, mode, strategy, tools, sandbox } = sessionConfig();
  const { lines, progress } = await print("stream-json", records);
  expect(lines).toEqual([
    {
      type: "init",
      seq: 2,
      sessionId,
      version: "1.2.3",
      cwd: "/work",
      roots: ["/work"],
      resumed: false,
      provider: model.provider,
      model: `${model.provider}/${model.id}`,
      maxOutputTokens: model.maxOutputTokens,
      context: { usedTokens: null, windowTokens: model.contextWindowTokens, summaries: 0 },
      permissionMode: mode,
      isolation: sandbox.isolation,
      strategy,
      tools: tools.map((tool) => tool.name),
    },
    ...[turnStarted(), ...records].map((record, index) => ({ ...record, seq: index + 3, at: 0 })),
    result,
  ]);
  expect(progress).toBe("");
});

test.each([
  ["done", 0],
  ["error", 1],
  ["tool-denied", 3],
  ["limit-reached", 4],
  ["loop-detected", 4],
  ["provider-failed", 5],
  ["outcome-unknown", 6],
  ["timeout", 124],
  ["interrupted", 130],
  ["terminated", 143],
] as const)("the outcome %s is exit code %i, in the result and of the run", async (outcome, exitCode) => {
  for (const format of ["json", "stream-json"] as const) {
    const printed = await print(format, [turnEnded(outcome)]);
    expect([printed.exitCode, printed.lines.at(-1)]).toEqual([
      exitCode,
      expect.objectContaining({ outcome, exitCode }),
    ]);
  }
});

test("half characters are replaced, and what some readers take for a line's end is escaped", async () => {
  const odd = "a\ud83d b\udc00\u2028c\u2029d\u0085e\r\n\u0000\u001c";
  const { lines } = await print("stream-json", [
    { type: "text-delta", stepId: toStepId("s"), delta: odd },
    completed(odd),
    turnEnded("done"),
  ]);
  expect(lines).toContainEqual(expect.objectContaining({ type: "text-delta", delta: odd.toWellFormed() }));
  expect(lines.at(-1)).toMatchObject({ text: odd.toWellFormed() });
});

test("whatever a value holds, its line is one line, well-formed, and reads back as it was", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ stringUnit: "binary" })), (value) => {
      const line = jsonLine(value);
      expect(line).not.toMatch(lineEnds);
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("nothing in a line moves a terminal or turns its text around", () => {
  const text = "a\u009b31mb\u202ec\u2066d\u200fe\u061cf\u007fg\u001b[2Jh";
  const line = jsonLine({ text });
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  expect(JSON.parse(line)).toEqual({ text });
});

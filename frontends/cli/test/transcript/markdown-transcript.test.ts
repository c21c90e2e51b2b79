import { type JournalRecord, type SessionEvent, toStepId, toTurnId, userText } from "@capstan/protocol";
import { action, call, callId, message, opening, tester, playMoves, randomMoves, testUsage } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { markdownTranscript } from "../../src/transcript/markdown-transcript.ts";

function written(records: readonly JournalRecord[], remark = ""): string {
  const events = records.map((record, at): SessionEvent => ({ seq: at + 1, at: 0, record }));
  return [...markdownTranscript("s", events, remark)].join("\n");
}

const stepId = toStepId("t1.s1");
const turnId = toTurnId("t1");

function session(command: string, exitCode: number): readonly JournalRecord[] {
  const asked = message("I test.", call("a", "act", { command }));
  return [
    ...opening(),
    { type: "turn-started", turnId, content: userText("test it"), origin: tester },
    { type: "step-started", stepId, turnId, attempt: 1, model: "test/model-1" },
    { type: "step-completed", stepId, message: asked, reason: "tool-calls", usage: testUsage, costUsd: 0 },
    {
      type: "tool-decided",
      callId: callId("a"),
      action: { ...action("act"), summary: command },
      judgement: { verdict: "allow", reason: "a rule" },
    },
    {
      type: "tool-finished",
      callId: callId("a"),
      outcome: { type: "done", content: "```\nout", details: { exitCode } },
      changes: [],
      observed: [],
      durationMs: 12,
    },
    { type: "turn-ended", turnId, outcome: "done", rolledBack: false },
  ];
}

test("a session reads from top to bottom, each call with its decision and its end", () => {
  const text = written(session("npm test", 3));
  expect(text.slice(text.indexOf("## "))).toBe(
    [
      "## cli, 1970-01-01T00:00:00.000Z\n",
      "> test it\n",
      "### test/model-1\n",
      "I test.\n",
      "Call `act`:\n",
      '```\n{\n  "command": "npm test"\n}\n```\n',
      "- allow: `npm test` (a rule)\n",
      "exit code 3 after 12 ms:\n",
      "````\n```\nout\n````\n",
      "— done",
    ].join("\n"),
  );
  expect(written(session("npm test", 0))).toContain("done after 12 ms:");
});

test("a remark comes first", () => {
  expect(written(session("npm test", 0), "Secrets were taken out.")).toContain(
    "# Session s\n\nSecrets were taken out.\n",
  );
  expect(written(session("npm test", 0))).not.toContain("Secrets");
});

test("any journal can be written down", () => {
  fc.assert(
    fc.property(randomMoves, fc.nat(11), (moves, variant) => {
      expect(written(playMoves(moves, variant).journal)).toContain("# Session s");
    }),
    { numRuns: 50 },
  );
});

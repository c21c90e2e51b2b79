import { type InteractionAnswer, type JournalRecord, toSessionId } from "@capstan/protocol";
import {
  action,
  allowing,
  answers,
  call,
  callAnswer,
  completes,
  configVariants,
  packed,
  play,
  playMoves,
  prepared,
  randomMoves,
  runs,
  says,
  sessionConfig,
} from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { DecisionCounts, type DecisionReport } from "../src/decision-report.ts";

const [one, two] = [toSessionId("one"), toSessionId("two")];

function asked(answer: InteractionAnswer, config = sessionConfig()): readonly JournalRecord[] {
  return play(
    [
      says("t1"),
      packed("t1"),
      completes("t1.s1", callAnswer([call("a", "change", { path: "x" })])),
      prepared("t1.s1", { a: action("change", { path: "x" }) }),
      answers("1-t1", answer),
    ],
    config,
  ).journal;
}

function report(journals: readonly (readonly JournalRecord[])[], sinceMs = 0): DecisionReport {
  const counts = new DecisionCounts();
  for (const [index, journal] of journals.entries())
    for (const [at, record] of journal.entries())
      counts.add(index === 0 ? one : two, { seq: at + 1, at, record }, sinceMs);
  return counts.report();
}

test("decisions of all sessions are counted by verdict, tool, rule and who answered", () => {
  const byRule = sessionConfig({ policy: { rules: [allowing("change")] } });
  const approve = { type: "approve", digest: action("change", { path: "x" }).digest } as const;
  expect(report([asked(approve), asked({ type: "deny" }), asked({ type: "deny" }, byRule)])).toEqual({
    sessions: 2,
    verdicts: { allow: 1, ask: 2, deny: 0 },
    answers: { approve: 1, deny: 1 },
    answerers: [{ name: "tester", answers: 2, approvals: 1 }],
    unattended: 0,
    remembered: 0,
    tools: [{ tool: "change", allow: 1, ask: 2, deny: 0 }],
    rules: [{ rule: "change", source: "user", verdict: "allow", count: 1 }],
  });
});

test("what happened before is not counted, and what nobody could be asked is", () => {
  const unattended = asked({ type: "deny" }, sessionConfig({ askPolicy: "deny" }));
  expect(report([unattended])).toMatchObject({ unattended: 1, answers: {} });
  const decidedAt = unattended.findIndex(({ type }) => type === "tool-decided");
  expect(report([unattended], decidedAt)).toMatchObject({ sessions: 1, verdicts: { ask: 1 } });
  expect(report([unattended], decidedAt + 1)).toMatchObject({ sessions: 0, verdicts: { ask: 0 } });
});

test("whatever happens in a session, every decision and answer is counted once", () => {
  fc.assert(
    fc.property(randomMoves, fc.nat(configVariants - 1), (moves, variant) => {
      const { journal } = playMoves(moves, variant);
      const { verdicts, tools, answers: ended } = report([journal]);
      const count = (type: JournalRecord["type"]): number => journal.filter((record) => record.type === type).length;
      expect(verdicts.allow + verdicts.ask + verdicts.deny).toBe(count("tool-decided"));
      expect(tools.reduce((sum, { allow, ask, deny }) => sum + allow + ask + deny, 0)).toBe(count("tool-decided"));
      expect(Object.values(ended).reduce((sum, each) => sum + each, 0)).toBe(count("interaction-resolved"));
    }),
    { numRuns: runs(30) },
  );
});

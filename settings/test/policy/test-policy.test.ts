import { judge } from "@capstan/policy";
import type { Action, JournalRecord, Rule, SessionEvent } from "@capstan/protocol";
import { toInteractionId, toSessionId, toToolCallId, toTurnId } from "@capstan/protocol";
import { createMemoryStore } from "@capstan/storage";
import { configVariants, opening, playMoves, randomMoves, sessionConfig } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { PolicyFile } from "../../src/policy/policy-file.ts";
import { type RecordedDecision, recordedDecisions } from "../../src/policy/recorded-decisions.ts";
import { type PolicyTest, testPolicy } from "../../src/policy/test-policy.ts";
import { commandCall } from "./calls.ts";

const sessionId = toSessionId("s1");

function events(records: readonly JournalRecord[]): readonly SessionEvent[] {
  return records.map((record, index) => ({ seq: index + 1, at: 1000 + index, record }));
}

async function decisionsIn(records: readonly JournalRecord[]): Promise<readonly RecordedDecision[]> {
  const store = createMemoryStore();
  await store.restore(sessionId, events(records));
  const found: RecordedDecision[] = [];
  for await (const decision of recordedDecisions(store, 0)) found.push(decision);
  return found;
}

test("replaying any session under what it recorded gives every recorded verdict", async () => {
  await fc.assert(
    fc.asyncProperty(randomMoves, fc.nat(configVariants - 1), async (moves, variant) => {
      const { journal } = playMoves(moves, variant);
      const decided = journal.filter((record) => record.type === "tool-decided" && record.action.session === undefined);
      const found = await decisionsIn(journal);
      const replayed = found.map(({ action, situation }) => judge(action, situation).verdict);
      expect([found.length, replayed]).toEqual([decided.length, found.map(({ judgement }) => judgement.verdict)]);
    }),
    { numRuns: 150 },
  );
});

type Answer = "approve" | "deny" | "nobody";

/** A session with these commands; asked ones are answered as said. */
function journalOf(
  calls: readonly (readonly [command: string, verdict: "allow" | "ask" | "deny", answer?: Answer])[],
): readonly JournalRecord[] {
  const started = [...opening(sessionConfig({ policy: { rules: [] } }))];
  const turnId = toTurnId("t1");
  const origin = { frontend: "cli" };
  const records: JournalRecord[] = [{ type: "turn-started", turnId, content: [], origin }];
  for (const [index, [command, verdict, answer]] of calls.entries()) {
    const callId = toToolCallId(`c${index}`);
    const interactionId = toInteractionId(`i${index}`);
    const action: Action = commandCall(command);
    records.push({ type: "tool-decided", callId, action, judgement: { verdict, reason: "then" } });
    if (answer === undefined || answer === "nobody") continue;
    const request = { type: "approval", callId, action, reason: "then", risk: "low", warnings: [] } as const;
    const interaction = {
      id: interactionId,
      request,
      digest: action.digest,
      openedAt: 0,
      expiresAt: null,
      origin,
      answerers: [],
    };
    records.push({ type: "interaction-opened", interaction, turnId });
    const given =
      answer === "approve" ? ({ type: "approve", digest: action.digest } as const) : ({ type: "deny" } as const);
    records.push({ type: "interaction-resolved", interactionId, answer: given, origin });
  }
  return [...started, ...records];
}

async function tested(records: readonly JournalRecord[], rules: readonly Rule[], since = 0): Promise<PolicyTest> {
  const store = createMemoryStore();
  await store.restore(sessionId, events(records));
  const file: PolicyFile = { file: "new.toml", source: "user", rules, warnings: [], approval: "default" };
  return testPolicy(store, file, { since, replace: false, onProgress: () => undefined });
}

function rule(verdict: Rule["verdict"], command: string): Rule {
  return { verdict, tool: "run_command", command, source: "user", text: `run_command(${command})` };
}

test("each call is counted for what would become of it, and rules that matched nothing are named", async () => {
  const records = journalOf([
    ["make all", "ask", "approve"],
    ["make clean", "ask", "deny"],
    ["make install", "ask", "nobody"],
    ["deploy now", "ask", "approve"],
    ["deploy later", "ask", "deny"],
    ["format", "deny"],
  ]);
  const report = await tested(records, [
    rule("allow", "make *"),
    rule("deny", "deploy"),
    rule("allow", "format"),
    rule("deny", "never"),
  ]);
  expect({
    ...report,
    nowDenied: report.nowDenied.count,
    newRisk: report.newRisk.samples.map(({ summary, before }) => [summary, before]),
  }).toEqual({
    calls: 6,
    unchanged: 0,
    promptsSaved: 1,
    questionsRefused: 1,
    newPrompts: { count: 0, samples: [] },
    nowDenied: 1,
    newRisk: [
      ["make clean", "ask, refused"],
      ["format", "deny"],
      ["make install", "ask, not answered"],
    ],
    denialsAsked: 0,
    neverMatched: [{ rule: "run_command(never)", place: "user" }],
  });
});

test("calls before the time asked about are not replayed", async () => {
  const records = journalOf([["make", "ask", "approve"]]);
  expect([(await tested(records, [], 0)).calls, (await tested(records, [], 5000)).calls]).toEqual([1, 0]);
});

test("what a copy took over from its original is counted once", async () => {
  const records = journalOf([
    ["make", "allow"],
    ["ls", "allow"],
  ]);
  const copy = records.map((record): JournalRecord =>
    record.type === "session-started" ? { ...record, forkedFrom: { sessionId, seq: records.length - 1 } } : record,
  );
  expect((await tested(copy, [])).calls).toBe(1);
});

import { type JournalRecord, toStepId, toTurnId } from "@capstan/protocol";
import { action, call, callId, fileEffect, message, tester, testUsage } from "@capstan/testkit";
import { expect, test } from "vitest";
import { createRedactor, shownEvent } from "../src/index.ts";

const secret = "hunter2-hunter2-hunter2";
const redact = createRedactor([secret]);
const act = action(
  "act",
  {},
  {
    tool: `tool-${secret}`,
    paths: [{ real: `/work/${secret}`, shown: secret, access: "write" }],
    session: { type: "update-plan", tasks: [{ step: secret, status: "pending" }] },
  },
);
const path = `/work/${secret}.txt`;
const digest = /"digest":"[^"]*"/g;
const turnId = toTurnId("t1");
const origin = tester;
const content = [{ type: "text", text: `my password is ${secret}` }] as const;
const effects = [fileEffect(path, "a", "b")];

const records: readonly JournalRecord[] = [
  {
    type: "step-completed",
    stepId: toStepId("t1.s1"),
    message: message({
      ...call("a", `tool-${secret}`),
      written: { name: "Bash", arguments: { type: "json", value: { command: secret } } },
    }),
    reason: "tool-calls",
    usage: testUsage,
    costUsd: null,
  },
  { type: "tool-decided", callId: callId("a"), action: act, judgement: { verdict: "allow", reason: secret } },
  {
    type: "tool-started",
    callId: callId("a"),
    digest: act.digest,
    settle: { files: [{ path, before: null, after: "f".repeat(64) }] },
  },
  { type: "tool-probed", callId: callId("a"), finding: { type: "in-doubt", text: secret }, effects },
  {
    type: "tool-finished",
    callId: callId("a"),
    outcome: { type: "done", content: "done" },
    changes: [{ path, kind: "created", addedLines: 1, removedLines: 0 }],
    observed: [{ path, sha256: "f".repeat(64) }],
    durationMs: 1,
    effects,
  },
  { type: "tool-effects", turnId: toTurnId("t1"), callId: callId("a"), effects },
  { type: "turn-started", turnId, content, origin },
  { type: "turn-queued", turnId, content, origin },
  { type: "turn-steered", turnId, inputId: toTurnId("t2"), content, origin },
  { type: "queue-changed", turnId, change: { type: "replaced", content }, origin },
  { type: "context-packed", turnId, parts: [{ name: "date", text: `today ${secret}` }] },
  { type: "turn-ended", turnId, outcome: "provider-failed", message: secret, rolledBack: true, draft: content },
  { type: "session-titled", title: secret, origin },
  { type: "session-recovered", found: secret },
];

test.each(records.map((record) => [record.type, record] as const))(
  "a shown `%s` has no secret in any field, and what joins it to others stays",
  (_type, record) => {
    expect(JSON.stringify(record)).toContain(secret);
    const shown = shownEvent({ seq: 1, at: 0, record }, redact).record;
    expect(JSON.stringify(shown)).not.toContain(secret);
    expect(shown).toMatchObject("callId" in record ? { type: record.type, callId: "a" } : { type: record.type });
    expect(JSON.stringify(shown).match(digest)).toEqual(JSON.stringify(record).match(digest));
  },
);

test("where no secret stands, a shown event is equal to what is journaled", () => {
  for (const record of records) {
    const harmless: JournalRecord = JSON.parse(JSON.stringify(record).replaceAll(secret, "word"));
    expect(shownEvent({ seq: 1, at: 0, record: harmless }, redact).record).toEqual(harmless);
  }
});

import {
  type JournalRecord,
  type SessionId,
  toSessionId,
  toStepId,
  toToolCallId,
  toTurnId,
  userText,
} from "@capstan/protocol";
import { action, call, message, testUsage } from "./calls.ts";
import { sessionConfig } from "./session-config.ts";
import { tester } from "./stimuli.ts";

const id = toSessionId("patient");
const turnId = toTurnId("turn-1");
const stepId = toStepId("turn-1.s1");
const look = action("look");
const callId = toToolCallId("call-1");
const step: JournalRecord = { type: "step-started", stepId, turnId, attempt: 1, model: "test/model-1" };

/** A session with one turn: a call that was judged, ran and came out, and an answer. */
const records: readonly JournalRecord[] = [
  {
    type: "session-started",
    sessionId: id,
    workspace: { cwd: "/", roots: ["/"] },
    origin: tester,
    version: "1.2.3",
  },
  { type: "session-configured", config: sessionConfig() },
  { type: "turn-started", turnId, content: userText("look at it"), origin: tester },
  step,
  {
    type: "step-completed",
    stepId,
    message: message("I look.", call("call-1", "look")),
    reason: "tool-calls",
    usage: testUsage,
    costUsd: 0.0045,
  },
  { type: "tool-decided", callId, action: look, judgement: { verdict: "allow", reason: "it only reads" } },
  { type: "tool-started", callId, digest: look.digest, settle: { files: [] } },
  {
    type: "tool-finished",
    callId,
    outcome: { type: "done", content: "seen" },
    changes: [],
    observed: [],
    durationMs: 3,
  },
  { ...step, stepId: toStepId("turn-1.s2") },
  {
    type: "step-completed",
    stepId: toStepId("turn-1.s2"),
    message: message("All is well."),
    reason: "stop",
    usage: testUsage,
    costUsd: 0.0045,
  },
  { type: "turn-ended", turnId, outcome: "done", rolledBack: false },
];

/** A session, whole and at rest, for what reads or repairs journals. */
export const lookedSession: { readonly id: SessionId; readonly records: readonly JournalRecord[] } = { id, records };

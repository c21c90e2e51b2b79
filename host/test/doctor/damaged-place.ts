import {
  type JournalRecord,
  type SessionEvent,
  toInteractionId,
  toSessionId,
  toStepId,
  toToolCallId,
  toTurnId,
  userText,
} from "@capstan/protocol";
import type { SessionStore } from "@capstan/ports";
import { action, call, message, tester, sessionConfig, testUsage } from "@capstan/testkit";
import { onTestFinished } from "vitest";
import type { DataDirectory } from "@capstan/settings";
import { type Database, loadSqlite } from "../../../adapters/storage/src/sqlite/database.ts";
import { openSessions } from "../../src/exchange/open-sessions.ts";
import { newPlace } from "../host-place.ts";

export const id = toSessionId("patient");

const turnId = toTurnId("turn-1");
const stepId = toStepId("turn-1.s1");
const look = action("look");
const callId = toToolCallId("call-1");
const step: JournalRecord = { type: "step-started", stepId, turnId, attempt: 1, model: "test/model-1" };

/** A session with one turn: a call that was judged, ran and came out, and an answer. */
export const records: readonly JournalRecord[] = [
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

/** A question about a call, after the first `count` records. */
export const question: JournalRecord = {
  type: "interaction-opened",
  turnId,
  interaction: {
    id: toInteractionId("turn-1.s1.i1"),
    request: { type: "approval", callId, action: look, reason: "it asks", risk: "low", warnings: [] },
    digest: look.digest,
    openedAt: 0,
    expiresAt: null,
    origin: { frontend: "cli" },
    answerers: [],
  },
};

export interface Patient {
  readonly store: SessionStore;
  readonly data: DataDirectory;
  events(): Promise<readonly SessionEvent[]>;
  /** Changes the database behind the store's back. */
  readonly tamper: (sql: string) => void;
}

/** A store on disk that holds these records as one session. */
export async function patient(journal: readonly JournalRecord[] = records): Promise<Patient> {
  const { store, data } = await openSessions(newPlace().home);
  onTestFinished(() => store.close());
  await store.append(id, { after: 0, at: 1_700_000_000_000, records: journal, flush: true });
  return {
    store,
    data,
    events: () => store.read(id, 0),
    tamper: (sql) => {
      const database: Database = new (loadSqlite())(data.database, { timeout: 1000, defensive: false });
      database.exec(sql);
      database.close();
    },
  };
}

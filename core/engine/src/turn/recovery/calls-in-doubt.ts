import { type CallInDoubt, type JournalRecord, mayRunAgain, type ToolCallId } from "@capstan/protocol";
import { outcomes, unknownOutcome } from "@capstan/wording";
import type { Batch, PendingCall } from "@capstan/session";

export type RunningCall = Extract<PendingCall, { type: "running" }>;

/** Effectful calls that run, as far as the journal shows. */
export function effectfulCalls({ calls }: Batch): readonly RunningCall[] {
  return calls.flatMap((pending) =>
    pending.type === "running" && !mayRunAgain(pending.action.effect) ? [pending] : [],
  );
}

/** Effectful calls whose process died, and whose end nobody knows. */
export function callsInDoubt(batch: Batch): readonly RunningCall[] {
  return effectfulCalls(batch).filter((running) => running.interrupted);
}

/** The same, as a user is asked about them. */
export function recoveryCalls(batch: Batch): readonly CallInDoubt[] {
  return callsInDoubt(batch).map(({ call, action, probed }) => ({
    callId: call.callId,
    action,
    ...(probed === null ? {} : { finding: probed.text, changed: probed.effects.map((effect) => effect.path) }),
  }));
}

/** The call's end when nobody knows: never a success, and what is known goes to the model. */
export function leftUnknown(running: RunningCall): JournalRecord {
  return ended(running, unknownOutcome(running.probed?.text));
}

/** A user has looked, and takes it for done. */
export function acceptedAsDone(running: RunningCall): JournalRecord {
  return ended(running, outcomes.acceptedAsDone);
}

export function restarted(callId: ToolCallId, reason: "untouched" | "chosen"): JournalRecord {
  return { type: "tool-restarted", callId, reason };
}

function ended({ call, probed }: RunningCall, outcome: typeof outcomes.unknown): JournalRecord {
  const effects = probed === null ? {} : { effects: probed.effects };
  return { type: "tool-finished", callId: call.callId, outcome, changes: [], observed: [], durationMs: 0, ...effects };
}

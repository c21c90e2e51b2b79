import type { JournalRecord, ToolCallId, ToolOutcome, TurnOutcome } from "@capstan/protocol";
import { outcomes } from "@capstan/wording";
import type { SessionState } from "@capstan/session";
import { leftUnknown } from "../recovery/calls-in-doubt.ts";

/** The end of a call that the engine itself answers. */
export function finished(callId: ToolCallId, outcome: ToolOutcome): Extract<JournalRecord, { type: "tool-finished" }> {
  return { type: "tool-finished", callId, outcome, changes: [], observed: [], durationMs: 0 };
}

/** An outcome for every call of the open batch that has none, so that no call stays without an answer. */
export function answerOpenCalls({ operation }: SessionState, turnOutcome: TurnOutcome): readonly JournalRecord[] {
  if (operation.type !== "tool-loop" && operation.type !== "recovery") return [];
  return operation.batch.calls.flatMap((pending): readonly JournalRecord[] => {
    switch (pending.type) {
      case "settled":
        return [];
      case "running":
        if (turnOutcome === "outcome-unknown" || pending.probed !== null) return [leftUnknown(pending)];
        return [finished(pending.call.callId, outcomes.cancelledWhileRunning)];
      case "new":
      case "deferred":
      case "asking":
      case "allowed":
        return [
          finished(pending.call.callId, turnOutcome === "outcome-unknown" ? outcomes.notRun : outcomes.cancelled),
        ];
    }
  });
}

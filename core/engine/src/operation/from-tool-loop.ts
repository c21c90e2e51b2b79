import type { JournalRecord } from "@capstan/protocol";
import { beyondWriteLimit, undoneOutcome } from "@capstan/wording";
import { answerCall } from "../turn/interactions/answer-call.ts";
import { askUser, withdrawQuestions } from "../turn/interactions/ask-user.ts";
import { leavePlanning } from "../turn/interactions/review-plan.ts";
import { callsInDoubt } from "../turn/recovery/calls-in-doubt.ts";
import { afterProbe, afterRestart, proceed } from "../turn/recovery/settle-calls.ts";
import { advanceBatch, finishCall } from "../turn/tool-loop/advance-batch.ts";
import { decideCalls } from "../turn/tool-loop/decide-calls.ts";
import { finished } from "../turn/tool-loop/finish-call.ts";
import { stoppedByPlanMode } from "../turn/tool-loop/judge-call.ts";
import { andThen, type Decision, decision, nothing, together } from "../model/decision.ts";
import type { Operation, PendingCall, SessionState } from "@capstan/session";
import type { Stimulus } from "../model/stimulus.ts";

type ToolLoop = Extract<Operation, { type: "tool-loop" }>;
type Of<Type extends Stimulus["type"]> = Extract<Stimulus, { type: Type }>;

/** The calls of one step are being prepared, approved or executed. */
export function fromToolLoop(state: SessionState, operation: ToolLoop, stimulus: Stimulus): Decision {
  switch (stimulus.type) {
    case "actions-prepared":
      return stimulus.stepId === operation.batch.stepId ? decideCalls(state, stimulus.prepared) : nothing;
    case "submission":
    case "timer-fired":
      return answerCall(state, stimulus);
    case "tool-staged":
      return afterStaging(state, operation, stimulus);
    case "tool-output":
      return afterOutput(operation, stimulus);
    case "tool-asks":
      return askUser(state, operation, stimulus);
    case "tool-ended":
      return afterEnd(state, operation, stimulus);
    case "process-restarted":
      return state.approvedPlan === null ? afterRestart(state, operation) : leavePlanning(state);
    case "calls-probed":
      return afterProbe(state, operation, stimulus);
    case "files-restored":
      return afterUndo(state, operation, stimulus);
    default:
      return nothing;
  }
}

/** The effect is worked out: make the intent durable and run it, or, under review, hand the proposal on. */
function afterStaging(state: SessionState, { batch, turn }: ToolLoop, stimulus: Of<"tool-staged">): Decision {
  const pending = find(batch.calls, stimulus.callId, "allowed");
  if (pending === undefined) return nothing;
  const { callId } = stimulus;
  const limits = state.config?.limits;
  const beyond =
    limits === undefined ? undefined : beyondWriteLimit(turn.written, limits, pending.action, stimulus.settle);
  if (beyond !== undefined) return finishCall(state, callId, beyond);
  const stopped = stoppedByPlanMode(state, turn, pending.action);
  if (stopped !== undefined) return finishCall(state, callId, stopped);
  const onlyProposes = pending.action.proposes !== undefined || state.config?.strategy === "review";
  if (onlyProposes && pending.action.effect === "write") {
    const proposed: JournalRecord = {
      ...finished(callId, { type: "proposed", content: stimulus.proposal }),
      changes: stimulus.changes,
      ...(stimulus.proposed === undefined ? {} : { proposed: stimulus.proposed }),
    };
    return andThen(state, decision([proposed]), advanceBatch);
  }
  const started: JournalRecord = {
    type: "tool-started",
    callId,
    digest: pending.action.digest,
    settle: stimulus.settle,
    ...(stimulus.checkpoint === undefined ? {} : { checkpoint: stimulus.checkpoint }),
  };
  return decision([started], [{ type: "run-tool", callId, action: pending.action }]);
}

function afterOutput({ batch }: ToolLoop, { callId, stream, delta }: Of<"tool-output">): Decision {
  return find(batch.calls, callId, "running")?.interrupted !== false
    ? nothing
    : decision([{ type: "tool-output-delta", callId, stream, delta }]);
}

/** The first outcome of a call that runs (or could not even be worked out) counts; late and repeated ones change nothing. */
function afterEnd(state: SessionState, { batch }: ToolLoop, stimulus: Of<"tool-ended">): Decision {
  const { type: _type, callId, ...end } = stimulus;
  const open = find(batch.calls, callId, "running") ?? find(batch.calls, callId, "allowed");
  if (open === undefined || (open.type === "running" && open.interrupted)) return nothing;
  const finish = together([withdrawQuestions([open]), decision([{ type: "tool-finished", callId, ...end }])]);
  return andThen(state, finish, advanceBatch);
}

/** A user chose to take back what the interrupted calls did, and the files are restored. */
function afterUndo(
  state: SessionState,
  { batch }: ToolLoop,
  { restoreId, restored, conflicts }: Of<"files-restored">,
): Decision {
  const inDoubt = callsInDoubt(batch);
  if (restoreId !== batch.undo || inDoubt.length === 0) return nothing;
  const outcome = undoneOutcome(
    restored.map((effect) => effect.path),
    conflicts,
  );
  const undone = inDoubt.map(({ call }) => finished(call.callId, outcome));
  return andThen(state, decision(undone), proceed);
}

function find<Type extends PendingCall["type"]>(
  calls: readonly PendingCall[],
  callId: string,
  type: Type,
): Extract<PendingCall, { type: Type }> | undefined {
  return calls.find(
    (pending): pending is Extract<PendingCall, { type: Type }> =>
      pending.type === type && pending.call.callId === callId,
  );
}

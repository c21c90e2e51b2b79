import { type Moment, momentsAfterCall } from "@capstan/hook-points";
import { askHooks } from "../ask-hooks.ts";
import { named } from "./named-call.ts";
import { type Action, mayRunAgain, type ToolCallId, type ToolOutcome } from "@capstan/protocol";
import { andThen, type Decision, decision, nothing, together } from "../../model/decision.ts";
import type { Effect } from "../../model/effect.ts";
import { type Batch, isUndecided, type OpenTurn, type PendingCall, type SessionState } from "@capstan/session";
import { isEffect, onlyReads } from "@capstan/policy";
import { endTurn, wholeTurn } from "../end-turn.ts";
import { startStep } from "../start-step.ts";
import { answerAgain } from "./decide-session-call.ts";
import { finished } from "./finish-call.ts";
import { stoppedByPlanMode } from "./judge-call.ts";
import { startableCalls } from "./startable-calls.ts";

/** Starts what may start; when every call has its outcome, goes back to the model. Nothing starts while a user is asked. */
export function advanceBatch(state: SessionState): Decision {
  const { operation, config, workspace } = state;
  if ((operation.type !== "tool-loop" && operation.type !== "recovery") || config === null) return nothing;
  const { batch, turn } = operation;
  const held = askHooks(state, batch.calls.flatMap(momentsOfEnded));
  if (held !== null) return held;
  if (batch.calls.every((pending) => pending.type === "settled")) {
    return turn.proposals > 0 || batch.isUsers === true ? endTurn(state, wholeTurn(state)) : startStep(state);
  }
  if (batch.calls.some((pending) => pending.type === "new" || pending.type === "asking")) return nothing;
  if (batch.calls.find((pending) => pending.type !== "settled")?.type === "deferred") return prepareCalls(state);
  const startable = startableCalls(batch, config.strategy, config.limits.maxParallelReads);
  const stopped = startable.flatMap(({ call, action }) => {
    const outcome = outcomeInstead(state, turn, call.callId, action);
    return outcome === undefined ? [] : [finished(call.callId, outcome)];
  });
  if (stopped.length > 0) return andThen(state, decision(stopped), advanceBatch);
  return together(startable.map((call) => startCall(call, batch, workspace)));
}

function momentsOfEnded(pending: PendingCall): readonly Moment[] {
  if (pending.type !== "settled" || pending.action === null) return [];
  return momentsAfterCall(named(pending.call, pending.action), pending.outcome);
}

/** Prepares every call of the batch that has not begun. What comes out as it was decided on stays decided. */
export function prepareCalls({ operation }: SessionState): Decision {
  if (operation.type !== "tool-loop") return nothing;
  const { stepId, calls } = operation.batch;
  const waiting = calls.flatMap(({ type, call }) => (type === "running" || type === "settled" ? [] : [call]));
  return decision([], [{ type: "prepare-actions", stepId, calls: waiting }]);
}

/** Ends a call, and starts what may start then. */
export function finishCall(state: SessionState, callId: ToolCallId, outcome: ToolOutcome): Decision {
  return andThen(state, decision([finished(callId, outcome)]), (next) => advanceWithout(next, callId));
}

/** After a call that did not run: what is open and was to stand on what it would have done is prepared without. */
export function advanceWithout(state: SessionState, callId: ToolCallId): Decision {
  if (state.operation.type !== "tool-loop") return advanceBatch(state);
  const { calls } = state.operation.batch;
  const ended = calls.find(({ call }) => call.callId === callId);
  const wasStaged = ended?.type === "settled" && ended.action?.files !== undefined;
  const isOpen = calls.some(({ type }) => type === "new" || type === "asking");
  return wasStaged && isOpen ? prepareCalls(state) : advanceBatch(state);
}

/** What ends a call that was allowed and must not start: plan mode has begun since, or there is nothing to start. */
function outcomeInstead(
  state: SessionState,
  turn: OpenTurn,
  callId: ToolCallId,
  action: Action,
): ToolOutcome | undefined {
  if (action.session !== undefined) return answerAgain(state, callId, action.session);
  return stoppedByPlanMode(state, turn, action);
}

/**
 * A read of what no call of the batch has changed starts at once. Everything else is worked out first: it must still be what was decided on,
 * and the intent of an effect must be durable, with what settles it, before it runs.
 */
function startCall(
  { call, action }: Extract<PendingCall, { type: "allowed" }>,
  batch: Batch,
  workspace: SessionState["workspace"],
): Decision {
  const { callId } = call;
  if (action.effect !== "read" || isAfterEffect(batch, callId)) {
    const isCertain = workspace !== null && onlyReads(action, workspace);
    return decision([], [{ type: "stage-tool", callId, action, ...(isCertain ? { onlyReads: true } : {}) }]);
  }
  return decision(
    [{ type: "tool-started", callId, digest: action.digest, settle: { files: [] } }],
    [{ type: "run-tool", callId, action }],
  );
}

/** Whether a call before it may have changed what it was prepared on. */
function isAfterEffect({ calls }: Batch, callId: ToolCallId): boolean {
  const first = calls.find(
    (each) => each.call.callId === callId || ("action" in each && each.action !== null && isEffect(each.action)),
  );
  return first?.call.callId !== callId;
}

/** What must be done again after a restart: calls whose start left no durable intent, and calls under way that may run again. */
export function resumeBatch(state: SessionState): Decision {
  if (state.operation.type !== "tool-loop") return nothing;
  const { calls } = state.operation.batch;
  const effects = calls.flatMap((pending): readonly Effect[] =>
    pending.type === "running" && mayRunAgain(pending.action.effect)
      ? [{ type: "run-tool", callId: pending.call.callId, action: pending.action }]
      : [],
  );
  return calls.some(isUndecided) ? decision([], [...prepareCalls(state).effects, ...effects]) : decision([], effects);
}

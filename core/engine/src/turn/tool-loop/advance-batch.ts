import type { Action, ToolCallId, ToolOutcome } from "@capstan/protocol";
import { andThen } from "../../evolve/and-then.ts";
import { type Decision, decision, nothing, together } from "../../model/decision.ts";
import type { Effect } from "../../model/effect.ts";
import { type Batch, isUndecided, type OpenTurn, type PendingCall, type SessionState } from "../../model/state.ts";
import { onlyReads } from "@capstan/policy";
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
  if (batch.calls.every((pending) => pending.type === "settled")) {
    return turn.proposals > 0 || batch.isUsers === true ? endTurn(state, wholeTurn(state)) : startStep(state);
  }
  if (batch.calls.some((pending) => pending.type === "new" || pending.type === "asking")) return nothing;
  const startable = startableCalls(batch, config.strategy, config.limits.maxParallelReads);
  const stopped = startable.flatMap(({ call, action }) => {
    const outcome = outcomeInstead(state, turn, call.callId, action);
    return outcome === undefined ? [] : [finished(call.callId, outcome)];
  });
  if (stopped.length > 0) return andThen(state, decision(stopped), advanceBatch);
  return together(startable.map((call) => startCall(call, workspace)));
}

/** Ends a call, and starts what may start then. */
export function finishCall(state: SessionState, callId: ToolCallId, outcome: ToolOutcome): Decision {
  return andThen(state, decision([finished(callId, outcome)]), advanceBatch);
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

/** A read starts at once. An effect is worked out first: its intent must be durable, with what settles it, before it runs. */
function startCall(
  { call, action }: Extract<PendingCall, { type: "allowed" }>,
  workspace: SessionState["workspace"],
): Decision {
  const { callId } = call;
  if (action.effect !== "read") {
    const isCertain = workspace !== null && onlyReads(action, workspace);
    return decision([], [{ type: "stage-tool", callId, action, ...(isCertain ? { onlyReads: true } : {}) }]);
  }
  return decision(
    [{ type: "tool-started", callId, digest: action.digest, settle: { files: [] } }],
    [{ type: "run-tool", callId, action }],
  );
}

/** What must be done again after a restart: calls whose start left no durable intent, and reads that were under way. */
export function resumeBatch(batch: Batch): readonly Effect[] {
  const fresh = batch.calls.flatMap((pending) => (isUndecided(pending) ? [pending.call] : []));
  if (fresh.length > 0) return [{ type: "prepare-actions", stepId: batch.stepId, calls: fresh }];
  return batch.calls.flatMap((pending): readonly Effect[] =>
    pending.type === "running" && pending.action.effect === "read"
      ? [{ type: "run-tool", callId: pending.call.callId, action: pending.action }]
      : [],
  );
}

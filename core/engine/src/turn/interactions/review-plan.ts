import { type InteractionAnswer, type JournalRecord, type ToolCallId, unreachable } from "@capstan/protocol";
import { planAdjusted, planApproved, planCancelled, planToCarryOut } from "@capstan/wording";
import { andThen, type Decision, decision, nothing } from "../../model/decision.ts";
import { type ApprovedPlan, openTurnOf, type SessionState } from "@capstan/session";
import { finishCall } from "../tool-loop/advance-batch.ts";
import { finished } from "../tool-loop/finish-call.ts";
import { endTurn } from "../end-turn.ts";

type PlanAnswer = Extract<InteractionAnswer, { type: "plan" }>;

/** A user's word on a plan. Approved, it ends the planning; `carryOutPlan` is what follows. */
export function answerPlan(state: SessionState, callId: ToolCallId, answer: PlanAnswer): Decision {
  switch (answer.decision) {
    case "adjust":
      return finishCall(state, callId, planAdjusted(answer.message));
    case "cancel":
      return andThen(state, decision([finished(callId, planCancelled)]), (next) => endTurn(next, { outcome: "done" }));
    case "proceed":
    case "proceed-clean":
      return leavePlanning(state);
    default:
      return unreachable(answer.decision);
  }
}

/** Ends the turn whose plan was approved; its other calls belonged to the planning and do not run. */
export function leavePlanning(state: SessionState): Decision {
  const { approvedPlan, operation } = state;
  if (approvedPlan === null || openTurnOf(state)?.turnId !== approvedPlan.follows) return nothing;
  const isOpen =
    operation.type === "tool-loop" &&
    operation.batch.calls.some(({ type, call }) => type !== "settled" && call.callId === approvedPlan.callId);
  const reported = isOpen ? [finished(approvedPlan.callId, planApproved)] : [];
  return andThen(state, decision(reported), (next) => endTurn(next, { outcome: "done" }));
}

/** What begins the one turn that carries an approved plan out: the mode to do it in, and the plan exactly as it was approved. */
export function carryOutPlan({ config }: SessionState, approved: ApprovedPlan): CarriedOut {
  const { turnId, follows, interactionId, digest, clean, mode, origin } = approved;
  const leaving: readonly JournalRecord[] =
    config === null || config.mode === mode ? [] : [{ type: "session-configured", config: { ...config, mode } }];
  return {
    records: leaving,
    input: { turnId, content: planToCarryOut(approved.plan), origin, follows, plan: { interactionId, digest, clean } },
  };
}

interface CarriedOut {
  readonly records: readonly JournalRecord[];
  readonly input: Omit<Extract<JournalRecord, { type: "turn-started" }>, "type">;
}

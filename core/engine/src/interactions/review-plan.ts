import {
  type InteractionAnswer,
  type JournalRecord,
  noUsage,
  type Origin,
  toStepId,
  toTurnId,
  type TurnId,
  unreachable,
} from "@capstan/protocol";
import { andThen, type Decision, decision, nothing } from "../operation/decision.ts";
import type { SessionState } from "../operation/state.ts";
import { advanceBatch } from "../tool-loop/advance-batch.ts";
import { finished } from "../tool-loop/finish-call.ts";
import { planAdjusted, planApproved, planCancelled } from "../tool-loop/outcome-texts.ts";
import { beginTurn } from "../turn/open-turn.ts";
import { endTurn } from "../turn/end-turn.ts";
import { openTurnOf } from "../turn/open-turn-of.ts";
import type { Asked } from "./answer-call.ts";

type PlanAnswer = Extract<InteractionAnswer, { type: "plan" }>;

/** A person's word on a plan. Approved, it leaves plan mode and begins exactly one turn, which carries out exactly this plan. */
export function answerPlan(state: SessionState, asked: Asked, answer: PlanAnswer, origin: Origin): Decision {
  const { callId } = asked.call;
  switch (answer.decision) {
    case "adjust":
      return andThen(state, decision([finished(callId, planAdjusted(answer.message))]), advanceBatch);
    case "cancel":
      return andThen(state, decision([finished(callId, planCancelled)]), (next) => endTurn(next, { outcome: "done" }));
    case "proceed":
    case "proceed-clean":
      return proceed(state, asked, answer, origin);
    default:
      return unreachable(answer.decision);
  }
}

function proceed(state: SessionState, { call, interaction }: Asked, answer: PlanAnswer, origin: Origin): Decision {
  const { config } = state;
  const planned = openTurnOf(state);
  if (config === null || planned === null || interaction.request.type !== "plan-review") return nothing;
  const { plan } = interaction.request;
  const leaving: readonly JournalRecord[] = [
    finished(call.callId, planApproved),
    { type: "session-configured", config: { ...config, mode: answer.mode ?? "accept-edits" } },
  ];
  const ended = andThen(state, decision(leaving), (next) => endTurn(next, { outcome: "done" }));
  const cleaned =
    answer.decision === "proceed-clean"
      ? andThen(state, ended, (next) => decision(cleared(next, planned.turnId)))
      : ended;
  return andThen(state, cleaned, (next) =>
    beginTurn(next, {
      turnId: toTurnId(`${interaction.id}.plan`),
      content: [{ type: "text", text: `Carry out this plan, which I have approved:\n\n${plan}` }],
      origin,
      follows: planned.turnId,
    }),
  );
}

/** From here on the model sees a line in place of what was said before; the originals stay. */
function cleared({ conversation, compactions }: SessionState, turnId: TurnId): readonly JournalRecord[] {
  const stepId = toStepId(`${turnId}.clean${compactions + 1}`);
  const messageCount = conversation.length;
  const summary = "Before this, a plan was worked out and approved. It follows; nothing else was done.";
  return [
    { type: "compaction-started", stepId, messageCount, attempt: 1 },
    { type: "compaction-completed", stepId, summary, messageCount, usage: noUsage, costUsd: 0 },
  ];
}

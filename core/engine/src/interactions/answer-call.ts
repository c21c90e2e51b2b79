import {
  type Grant,
  type InteractionAnswer,
  type JournalRecord,
  type ToolOutcome,
  unreachable,
} from "@capstan/protocol";
import { andThen, type Decision, decision, nothing } from "../operation/decision.ts";
import type { PendingCall, SessionState } from "../operation/state.ts";
import type { Stimulus } from "../operation/stimulus.ts";
import { advanceBatch } from "../tool-loop/advance-batch.ts";
import { finished } from "../tool-loop/finish-call.ts";
import { deniedByPerson, unansweredInTime } from "../tool-loop/outcome-texts.ts";
import { answeredQuestions } from "../tool-loop/session-outcomes.ts";
import { expiryTimer } from "../turn/timers.ts";
import { answerProblem } from "./check-answer.ts";
import { answerPlan } from "./review-plan.ts";

type Asking = Extract<PendingCall, { type: "asking" }>;
export type Asked = Asking & { readonly interaction: NonNullable<Asking["interaction"]> };
type Answered = Extract<Stimulus, { type: "submission" }>;

/** The open question of the batch with this id. */
function askedCall({ operation }: SessionState, interactionId: string): Asked | undefined {
  if (operation.type !== "tool-loop") return undefined;
  return operation.batch.calls.find(
    (pending): pending is Asked => pending.type === "asking" && pending.interaction?.id === interactionId,
  );
}

/** Only the first valid word on exactly what was shown counts; anything else changes nothing. */
export function answerCall(state: SessionState, { submission, origin }: Answered): Decision {
  if (submission.type !== "answer") return nothing;
  const asked = askedCall(state, submission.interactionId);
  if (asked === undefined || answerProblem(asked.interaction, submission.answer, origin, state.now) !== null)
    return nothing;
  const { answer, answerId } = submission;
  const resolved: JournalRecord = {
    type: "interaction-resolved",
    interactionId: asked.interaction.id,
    answer,
    origin,
    ...(answerId === undefined ? {} : { answerId }),
  };
  const settled = decision([resolved], stopExpiry(asked));
  return andThen(state, settled, (next) => follow(next, asked, answer));
}

/** Nobody answered in time: it counts as denied. */
export function expireCall(state: SessionState, timerId: string): Decision {
  const { operation } = state;
  if (operation.type !== "tool-loop") return nothing;
  const asked = operation.batch.calls.find(
    (pending): pending is Asked =>
      pending.type === "asking" && pending.interaction !== null && expiryTimer(pending.interaction.id) === timerId,
  );
  if (asked === undefined) return nothing;
  const expired: JournalRecord = {
    type: "interaction-resolved",
    interactionId: asked.interaction.id,
    answer: { type: "expired" },
    origin: { face: "engine" },
  };
  return andThen(state, decision([expired, finished(asked.call.callId, unansweredInTime)]), advanceBatch);
}

function stopExpiry({ interaction }: Asked): Decision["effects"] {
  return interaction.expiresAt === null ? [] : [{ type: "stop-timer", timerId: expiryTimer(interaction.id) }];
}

function follow(state: SessionState, asked: Asked, answer: InteractionAnswer): Decision {
  switch (answer.type) {
    case "approve":
      return andThen(state, remember(state, asked, answer), advanceBatch);
    case "edit":
      return prepareAgain(state, asked, answer);
    case "deny":
      return finish(state, asked, deniedByPerson(answer.message));
    case "reply":
      return finish(state, asked, answeredQuestions(asked.interaction.request, answer.answers));
    case "plan":
      return answerPlan(state, asked, answer);
    case "continue":
    case "stop":
    case "accept-as-done":
    case "run-again":
    case "undo":
    case "tell-model":
    case "discard":
      return nothing;
    default:
      return unreachable(answer);
  }
}

function finish(state: SessionState, { call }: Asked, outcome: ToolOutcome): Decision {
  return andThen(state, decision([finished(call.callId, outcome)]), advanceBatch);
}

/** The approval as a rule for later, where the person said so. */
function remember(
  { sessionId, workspace, now }: SessionState,
  { interaction }: Asked,
  { scope = "once" }: Extract<InteractionAnswer, { type: "approve" }>,
): Decision {
  const { request } = interaction;
  if (scope === "once" || sessionId === null || request.type !== "approval" || request.grant === undefined)
    return nothing;
  const grant: Grant = {
    id: `${sessionId}.${interaction.id}`,
    rule: request.grant,
    scope,
    grantedAt: now,
    sessionId,
    interactionId: interaction.id,
    ...(workspace === null ? {} : { cwd: workspace.cwd }),
  };
  return decision([{ type: "grant-added", grant }], scope === "always" ? [{ type: "keep-grant", grant }] : []);
}

/** Other arguments are another action: it is built and judged from the start. */
function prepareAgain(
  state: SessionState,
  { call }: Asked,
  { arguments: args }: Extract<InteractionAnswer, { type: "edit" }>,
): Decision {
  const { operation } = state;
  if (operation.type !== "tool-loop") return nothing;
  const edited = { ...call, arguments: { type: "json", value: args } } as const;
  return decision(
    [{ type: "call-edited", callId: call.callId, arguments: args }],
    [{ type: "prepare-actions", stepId: operation.batch.stepId, calls: [edited] }],
  );
}

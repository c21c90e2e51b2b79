import { type Grant, type InteractionAnswer, type Origin, unreachable } from "@capstan/protocol";
import { answeredQuestions, deniedByUser, unansweredInTime } from "@capstan/wording";
import { andThen, type Decision, decision, nothing, together } from "../../model/decision.ts";
import type { PendingCall, SessionState } from "@capstan/session";
import type { Stimulus } from "../../model/stimulus.ts";
import { advanceBatch, finishCall, prepareCalls } from "../tool-loop/advance-batch.ts";
import { passesWithEdits } from "../tool-loop/judge-call.ts";
import { answerRunning } from "./ask-user.ts";
import { endingOf, type Resolution, resolve } from "./resolve-interaction.ts";
import { answerPlan } from "./review-plan.ts";

type Asking = Extract<PendingCall, { type: "asking" }>;
type Asked = Asking & { readonly interaction: NonNullable<Asking["interaction"]> };
/** With who answered. */
type Answered = Asked & { readonly origin: Origin };

/** What becomes of a call whose question was answered, or not answered in time. */
export function answerCall(state: SessionState, stimulus: Stimulus): Decision {
  const ending = endingOf(state, stimulus);
  const asked = ending === null ? undefined : askedCall(state, ending.interaction.id);
  if (ending === null) return nothing;
  if (asked === undefined) return answerRunning(ending);
  const { origin } = ending;
  return andThen(state, resolve(ending), (next) => follow(next, { ...asked, origin }, ending.answer));
}

/** The call of the batch with this open question. */
function askedCall({ operation }: SessionState, interactionId: string): Asked | undefined {
  if (operation.type !== "tool-loop") return undefined;
  return operation.batch.calls.find(
    (pending): pending is Asked => pending.type === "asking" && pending.interaction?.id === interactionId,
  );
}

function follow(state: SessionState, asked: Answered, answer: Resolution): Decision {
  switch (answer.type) {
    case "approve":
      if (answer.scope === "workspace") return andThen(state, acceptEdits(state, asked), advanceBatch);
      return andThen(state, remember(state, asked, answer), advanceBatch);
    case "edit":
      return prepareAgain(state, asked, answer);
    case "deny":
      return finishCall(state, asked.call.callId, deniedByUser(answer.message));
    case "expired":
      return finishCall(state, asked.call.callId, unansweredInTime(asked.interaction.request));
    case "reply":
      return finishCall(state, asked.call.callId, answeredQuestions(asked.interaction.request, answer.answers));
    case "plan":
      return answerPlan(state, asked.call.callId, answer);
    case "continue":
    case "stop":
    case "accept-as-done":
    case "run-again":
    case "undo":
    case "tell-model":
    case "discard":
    case "void":
      return nothing;
    default:
      return unreachable(answer);
  }
}

/** All changes in this workspace, in this session: the mode says so from here on, and what of the batch it allows is asked no more. */
function acceptEdits(state: SessionState, { origin }: Answered): Decision {
  const { config, operation } = state;
  if (config?.mode !== "default" || operation.type !== "tool-loop") return nothing;
  const { batch, turn } = operation;
  const passing = batch.calls.flatMap((pending) =>
    pending.type === "asking" &&
    pending.interaction?.request.type === "approval" &&
    passesWithEdits(state, turn, pending.interaction.request.action)
      ? [pending.interaction]
      : [],
  );
  const answers = passing.map((interaction) =>
    resolve({ interaction, answer: { type: "approve", digest: interaction.digest }, origin }),
  );
  return together([
    decision([{ type: "session-configured", config: { ...config, mode: "accept-edits" } }]),
    ...answers,
  ]);
}

/** The approval as a rule for later, where the user said so: for the session what it offers to remember, for good the very call. */
function remember(
  { sessionId, workspace, now }: SessionState,
  { interaction }: Asked,
  { scope = "once" }: Extract<InteractionAnswer, { type: "approve" }>,
): Decision {
  const { request, id: interactionId } = interaction;
  if (request.type !== "approval" || sessionId === null || (scope !== "session" && scope !== "always")) return nothing;
  const rule = scope === "session" ? request.remembered?.rule : request.grant;
  if (rule === undefined) return nothing;
  const id = `${sessionId}.${interactionId}`;
  const place = workspace === null ? {} : { cwd: workspace.cwd };
  const grant: Grant = { id, rule, scope, grantedAt: now, sessionId, interactionId, ...place };
  return decision([{ type: "grant-added", grant }], scope === "always" ? [{ type: "keep-grant", grant }] : []);
}

/** Other arguments are another action: it is built and judged from the start, and so is what stands on it. */
function prepareAgain(
  state: SessionState,
  { call }: Asked,
  { arguments: args }: Extract<InteractionAnswer, { type: "edit" }>,
): Decision {
  return andThen(state, decision([{ type: "call-edited", callId: call.callId, arguments: args }]), prepareCalls);
}

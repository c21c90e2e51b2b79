import type { InteractionAnswer, InteractionRecord, JournalRecord, Origin } from "@capstan/protocol";
import { toTurnId, unreachable } from "@capstan/protocol";
import type { ApprovedPlan } from "../model/marks.ts";
import { openTurnOf } from "../model/open-turn-of.ts";
import { questionOf } from "../model/pending-interactions.ts";
import type { Batch, OpenTurn, Operation, PendingCall, SessionState } from "../model/state.ts";
import { closeBatch } from "./close-batch.ts";
import { withCall } from "./evolve-tool.ts";

type Opened = Extract<JournalRecord, { type: "interaction-opened" }>;
type Asking = Extract<PendingCall, { type: "asking" }>;
type ToolLoop = Extract<Operation, { type: "tool-loop" }>;
type PlanAnswer = Extract<InteractionAnswer, { type: "plan" }>;
type Resolved = Extract<JournalRecord, { type: "interaction-resolved" }>;

export function evolveInteraction(state: SessionState, record: InteractionRecord): SessionState {
  switch (record.type) {
    case "interaction-opened":
      return open(state, record);
    case "interaction-resolved":
      return resolve(state, record);
    case "grant-added":
      return { ...state, grants: [...state.grants, record.grant] };
    case "grant-revoked":
      return { ...state, grants: state.grants.filter(({ id }) => id !== record.grantId) };
    case "call-edited":
      return edit(state, record);
    default:
      return unreachable(record);
  }
}

function open(state: SessionState, { interaction }: Opened): SessionState {
  const { operation } = state;
  const turn = openTurnOf(state);
  if (turn === null) return state;
  const counted: OpenTurn = { ...turn, interactions: turn.interactions + 1 };
  const { request } = interaction;
  switch (request.type) {
    case "approval":
    case "question":
    case "plan-review": {
      if (operation.type !== "tool-loop") return state;
      const asked = withCall(state, request.callId, (pending) =>
        pending.type === "asking"
          ? { ...pending, interaction }
          : pending.type === "running" && !pending.interrupted
            ? { ...pending, question: interaction }
            : pending,
      );
      return asked.operation.type === "tool-loop"
        ? { ...asked, operation: { ...asked.operation, turn: counted } }
        : asked;
    }
    case "budget":
      return { ...closeBatch(state), operation: { type: "interaction", turn: counted, interaction } };
    case "recovery":
      if (operation.type !== "tool-loop") return state;
      return {
        ...state,
        operation: { type: "recovery", turn: counted, batch: operation.batch, interaction },
      };
    default:
      return unreachable(request);
  }
}

function resolve(state: SessionState, resolved: Resolved): SessionState {
  const { operation } = state;
  const { interactionId, answer } = resolved;
  if (operation.type === "tool-loop") return resolveAsked(state, operation, resolved);
  if (operation.type === "recovery" && operation.interaction.id === interactionId) {
    const batch = settling(operation.batch, resolved);
    return { ...state, operation: { type: "tool-loop", turn: operation.turn, batch } };
  }
  if (operation.type === "interaction" && operation.interaction.id === interactionId) {
    const { turn } = operation;
    const extensions = answer.type === "continue" ? turn.extensions + 1 : turn.extensions;
    // Answered: what follows, a step or the turn's end, must not find it open and withdraw it.
    return { ...state, operation: { type: "preparing", turn: { ...turn, extensions } } };
  }
  return state;
}

/** What a user has said about the calls in doubt, until it is carried out. */
function settling(batch: Batch, { interactionId, answer }: Resolved): Batch {
  if (answer.type === "undo") return { ...batch, undo: interactionId };
  if (answer.type !== "run-again") return batch;
  const calls = batch.calls.map((pending) =>
    pending.type === "running" && pending.interrupted ? { ...pending, approved: true } : pending,
  );
  return { ...batch, calls };
}

function resolveAsked(
  state: SessionState,
  { turn, batch }: ToolLoop,
  { interactionId, answer, origin }: Resolved,
): SessionState {
  const asked = batch.calls.find(
    (pending): pending is Asking => pending.type === "asking" && pending.interaction?.id === interactionId,
  );
  if (asked === undefined) {
    const running = batch.calls.find((pending) => questionOf(pending)?.id === interactionId);
    return running?.type === "running"
      ? withCall(state, running.call.callId, () => ({ ...running, question: null }))
      : state;
  }
  const { call, action } = asked;
  // Its question is settled, whatever the answer: a journal cut before the call's end must ask again, under another id.
  const next: PendingCall =
    answer.type === "approve"
      ? { type: "allowed", call, action, approved: asked.interaction?.digest === action.digest }
      : { ...asked, interaction: null };
  const settled = withCall(state, call.callId, () => next);
  if (answer.type !== "plan" || answer.decision === "adjust" || answer.decision === "cancel") return settled;
  return { ...settled, approvedPlan: approvedPlan(state, turn, asked, { answer, origin }) };
}

/** Which turn should follow, and all that it is bound to. */
function approvedPlan(
  { config }: SessionState,
  turn: OpenTurn,
  { call, action, interaction }: Asking,
  { answer, origin }: { readonly answer: PlanAnswer; readonly origin: Origin },
): ApprovedPlan | null {
  if (interaction?.request.type !== "plan-review" || config === null) return null;
  const isWritten = action.session?.type !== "exit-plan-mode" || action.session.source !== "none";
  return {
    turnId: toTurnId(`${interaction.id}.plan`),
    follows: turn.turnId,
    callId: call.callId,
    interactionId: interaction.id,
    digest: interaction.digest,
    plan: isWritten ? interaction.request.plan : null,
    // Without a plan in words a clean context would leave the model with nothing.
    clean: answer.decision === "proceed-clean" && isWritten,
    mode: answer.mode ?? (config.mode === "plan" ? "accept-edits" : config.mode),
    origin,
  };
}

/** The call is as if the model had made it so. */
function edit(
  state: SessionState,
  { callId, arguments: value }: Extract<JournalRecord, { type: "call-edited" }>,
): SessionState {
  const edited = withCall(state, callId, (pending) =>
    pending.type === "asking"
      ? { type: "new", call: { ...pending.call, arguments: { type: "json", value } } }
      : pending,
  );
  const { operation } = edited;
  if (edited === state || operation.type !== "tool-loop") return state;
  const batch = { ...operation.batch, edited: [...operation.batch.edited, callId] };
  return { ...edited, operation: { ...operation, batch } };
}

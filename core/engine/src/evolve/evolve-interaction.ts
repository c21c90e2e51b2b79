import type { Interaction, InteractionRecord, JournalRecord } from "@capstan/protocol";
import { unreachable } from "@capstan/protocol";
import { openTurnOf } from "../turn/open-turn-of.ts";
import type { OpenTurn, SessionState } from "../operation/state.ts";
import { closeBatch } from "./close-batch.ts";
import { withCall } from "./evolve-tool.ts";

type Opened = Extract<JournalRecord, { type: "interaction-opened" }>;
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

/** Journals from before interactions could expire say less of them. */
function withDefaults(interaction: Interaction): Interaction {
  const before: Partial<Interaction> = interaction;
  const { request, id } = interaction;
  return {
    ...interaction,
    digest: before.digest ?? (request.type === "approval" ? request.action.digest : id),
    openedAt: before.openedAt ?? 0,
    expiresAt: before.expiresAt ?? null,
    origin: before.origin ?? { face: "engine" },
    answerers: before.answerers ?? [],
  };
}

function open(state: SessionState, opened: Opened): SessionState {
  const interaction = withDefaults(opened.interaction);
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
        pending.type === "asking" ? { ...pending, interaction } : pending,
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

function resolve(state: SessionState, { interactionId, answer }: Resolved): SessionState {
  const { operation } = state;
  if (operation.type === "tool-loop") return resolveApproval(state, interactionId, answer);
  if (operation.type === "recovery" && operation.interaction.id === interactionId) {
    const batch = answer.type === "undo" ? { ...operation.batch, undo: operation.interaction.id } : operation.batch;
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

function resolveApproval(state: SessionState, interactionId: string, answer: Resolved["answer"]): SessionState {
  const { operation } = state;
  if (operation.type !== "tool-loop" || answer.type !== "approve") return state;
  const calls = operation.batch.calls.map((pending) =>
    pending.type === "asking" && pending.interaction?.id === interactionId
      ? ({ type: "allowed", call: pending.call, action: pending.action } as const)
      : pending,
  );
  return { ...state, operation: { ...operation, batch: { ...operation.batch, calls } } };
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

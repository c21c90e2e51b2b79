import type { InteractionAnswer, InteractionRecord, JournalRecord } from "@capstan/protocol";
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
    case "approval": {
      if (operation.type !== "tool-loop") return state;
      const asked = withCall(state, request.callId, (pending) =>
        pending.type === "asking" ? { ...pending, interactionId: interaction.id } : pending,
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
        operation: { type: "recovery", turn: counted, batch: operation.batch, interactionId: interaction.id },
      };
    default:
      return unreachable(request);
  }
}

function resolve(state: SessionState, { interactionId, answer }: Resolved): SessionState {
  const { operation } = state;
  if (operation.type === "tool-loop") return resolveApproval(state, interactionId, answer);
  if (operation.type === "recovery" && operation.interactionId === interactionId) {
    return { ...state, operation: { type: "tool-loop", turn: operation.turn, batch: operation.batch } };
  }
  if (operation.type === "interaction" && operation.interaction.id === interactionId) {
    const { turn } = operation;
    const extensions = answer.type === "continue" ? turn.extensions + 1 : turn.extensions;
    // Answered: what follows, a step or the turn's end, must not find it open and withdraw it.
    return { ...state, operation: { type: "preparing", turn: { ...turn, extensions } } };
  }
  return state;
}

function resolveApproval(
  state: SessionState,
  interactionId: string,
  answer: InteractionAnswer | { readonly type: "void" },
): SessionState {
  const { operation } = state;
  if (operation.type !== "tool-loop" || answer.type !== "approve") return state;
  const calls = operation.batch.calls.map((pending) =>
    pending.type === "asking" && pending.interactionId === interactionId
      ? ({ type: "allowed", call: pending.call, action: pending.action } as const)
      : pending,
  );
  return { ...state, operation: { ...operation, batch: { ...operation.batch, calls } } };
}

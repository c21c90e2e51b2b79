import { type InteractionRequest, type StepId, toInteractionId, toStepId } from "@capstan/protocol";
import { type Decision, andThen, decision, nothing } from "../operation/decision.ts";
import type { OpenTurn, SessionState } from "../operation/state.ts";
import { modelRequest } from "../projection/model-request.ts";
import { endTurn } from "./end-turn.ts";
import { openTurnOf } from "./open-turn-of.ts";

/** Asks the model, unless a limit of the turn stands in the way. */
export function startStep(state: SessionState): Decision {
  const turn = openTurnOf(state);
  const { config } = state;
  if (turn === null || config === null) return nothing;
  const reached = reachedLimit(state, turn);
  if (reached !== null) return atLimit(state, turn, reached);
  const stepId = nextStepId(turn);
  const model = `${config.model.provider}/${config.model.id}`;
  return andThen(state, decision([{ type: "step-started", stepId, turnId: turn.turnId, attempt: 1, model }]), (next) =>
    decision([], [{ type: "call-model", stepId, attempt: 1, request: modelRequest(next) }]),
  );
}

type Budget = Extract<InteractionRequest, { type: "budget" }>;

function reachedLimit(state: SessionState, turn: OpenTurn): Budget | null {
  const limits = state.config?.limits;
  if (limits === undefined) return null;
  const times = turn.extensions + 1;
  const bounds: readonly (readonly [name: string, used: number, allowed: number | null])[] = [
    ["model calls", turn.steps, limits.maxModelCallsPerTurn],
    ["tool rounds", turn.batches, limits.maxToolIterationsPerTurn],
    ["cost in USD", turn.costUsd, limits.maxCostUsd],
    ["tokens", turn.tokens, limits.maxTokensPerTurn],
  ];
  for (const [limit, used, bound] of bounds) {
    if (bound !== null && used >= bound * times) return { type: "budget", limit, used, allowed: bound * times };
  }
  return null;
}

function atLimit(state: SessionState, turn: OpenTurn, request: Budget): Decision {
  const message = `the turn's limit of ${request.allowed} ${request.limit} was reached`;
  if (state.config?.attendance !== "ask") return endTurn(state, { outcome: "limit-reached", message });
  const id = toInteractionId(`${turn.turnId}.i${turn.interactions + 1}`);
  return decision([{ type: "interaction-opened", interaction: { id, request }, turnId: turn.turnId }]);
}

function nextStepId(turn: OpenTurn): StepId {
  return toStepId(`${turn.turnId}.s${turn.steps + 1}`);
}

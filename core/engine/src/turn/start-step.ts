import {
  type InteractionRequest,
  type JournalRecord,
  type ModelSettings,
  type StepId,
  toStepId,
} from "@capstan/protocol";
import { type Decision, andThen, decision, nothing } from "../operation/decision.ts";
import type { OpenTurn, SessionState } from "../operation/state.ts";
import { openInteraction } from "../interactions/open-interaction.ts";
import { modelRequest } from "../projection/model-request.ts";
import { endTurn } from "./end-turn.ts";
import { openTurnOf } from "./open-turn-of.ts";
import { modelName, modelNamed } from "./step-model.ts";

/** Asks the model, unless a limit of the turn stands in the way. */
export function startStep(state: SessionState): Decision {
  const turn = openTurnOf(state);
  const { config } = state;
  if (turn === null || config === null) return nothing;
  const reached = reachedLimit(state, turn);
  if (reached !== null) return atLimit(state, turn, reached);
  return askModel(state, turn, { stepId: nextStepId(turn), attempt: 1, model: modelNamed(config, turn.model) });
}

/** Sends a step to a model, for the first time or again. */
export function askModel(state: SessionState, { turnId }: OpenTurn, ask: ModelCall): Decision {
  const { stepId, attempt, model } = ask;
  const started: JournalRecord = { type: "step-started", stepId, turnId, attempt, model: modelName(model) };
  return andThen(state, decision([started]), (next) =>
    decision([], [{ type: "call-model", ...ask, request: modelRequest(next, model) }]),
  );
}

interface ModelCall {
  readonly stepId: StepId;
  readonly attempt: number;
  readonly model: ModelSettings;
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
  return decision([openInteraction(state, turn, { request, number: turn.interactions + 1 })]);
}

function nextStepId(turn: OpenTurn): StepId {
  return toStepId(`${turn.turnId}.s${turn.steps + 1}`);
}

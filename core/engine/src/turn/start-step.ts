import type { Moment } from "@capstan/hook-points";
import { askHooks } from "./ask-hooks.ts";
import type { Reservation } from "@capstan/context";
import {
  type InteractionRequest,
  type JournalRecord,
  type ModelSettings,
  type StepId,
  toStepId,
  modelName,
  modelNamed,
} from "@capstan/protocol";
import { andThen, type Decision, decision, nothing } from "../model/decision.ts";
import { evolve, modelRequest, type OpenTurn, openTurnOf, type SessionState } from "@capstan/session";
import { openInteraction } from "./interactions/open-interaction.ts";
import { endTurn, type TurnEnd } from "./end-turn.ts";
import { maxLoopNotices } from "../limits.ts";
import { reserveCost } from "./reserve-cost.ts";
import { abandonedStep } from "./abandoned-step.ts";
import { summariseAhead } from "./background.ts";
import { makeRoom } from "./make-room.ts";

/** Asks the model, unless a limit of the turn stands in the way. */
export function startStep(state: SessionState): Decision {
  const turn = openTurnOf(state);
  const { config } = state;
  if (turn === null || config === null) return nothing;
  const held = askHooks(state, stepMoments(turn));
  if (held !== null) return held;
  if (state.repeated.notices >= maxLoopNotices) return endTurn(state, loopEnd(state));
  const reached = reachedLimit(state, turn);
  if (reached !== null) return atLimit(state, turn, reached);
  const model = modelNamed(config, turn.model);
  const room = makeRoom(state, turn, model, "budget");
  if (room !== null) return room;
  return andThen(state, summariseAhead(state, model), (next) =>
    askModel(next, turn, { stepId: nextStepId(turn), attempt: 1, model }),
  );
}

function stepMoments(turn: OpenTurn): readonly Moment[] {
  const each: Moment = { event: "BeforeModelCall", key: `BeforeModelCall:${nextStepId(turn)}` };
  return turn.steps === 0 ? [{ event: "AfterContextPack", key: "AfterContextPack" }, each] : [each];
}

/** The model was shown what it does, and does it again: each further answer would only cost. */
function loopEnd({ repeated }: SessionState): TurnEnd {
  return { outcome: "loop-detected", message: `the model made the same call ${repeated.count} times in a row` };
}

/** Sends a step to a model, for the first time or again, unless it could cost more than the turn has left. */
export function askModel(state: SessionState, turn: OpenTurn, ask: ModelCall): Decision {
  const { stepId, attempt, model } = ask;
  const { turnId } = turn;
  const started: JournalRecord = { type: "step-started", stepId, turnId, attempt, model: modelName(model) };
  const next = evolve(state, started);
  const request = modelRequest(next, model);
  const { outputTokens, short } = reserveCost(next, model, request);
  if (short !== null) return beyondBudget(state, turn, ask, short);
  return decision([started], [{ type: "call-model", ...ask, request: { ...request, maxOutputTokens: outputTokens } }]);
}

/** A step that was sent before has failed with this: its turn ends. One that was not is a limit as others are. */
function beyondBudget(
  state: SessionState,
  turn: OpenTurn,
  { stepId, model }: ModelCall,
  { neededUsd, leftUsd }: NonNullable<Reservation["short"]>,
): Decision {
  const allowed = (state.config?.limits.maxCostUsd ?? 0) * (turn.extensions + 1);
  const message = `a call of ${modelName(model)} may cost ${usd(neededUsd)} even with a short answer, and ${usd(Math.max(0, leftUsd))} of the turn's ${usd(allowed)} are left`;
  if (state.operation.type !== "streaming" || state.operation.step.stepId !== stepId)
    return atLimit(state, turn, { type: "budget", limit: "cost in USD", used: turn.costUsd, allowed }, message);
  return andThen(state, decision([abandonedStep(state.operation.step, "failed")]), (next) =>
    endTurn(next, { outcome: "limit-reached", message }),
  );
}

function usd(amount: number): string {
  return `${Number(amount.toPrecision(3))} USD`;
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

function atLimit(
  state: SessionState,
  turn: OpenTurn,
  request: Budget,
  message: string = `the turn's limit of ${request.allowed} ${request.limit} was reached`,
): Decision {
  if (state.config?.askPolicy !== "ask") return endTurn(state, { outcome: "limit-reached", message });
  return decision([openInteraction(state, turn, { request, number: turn.interactions + 1 })]);
}

function nextStepId(turn: OpenTurn): StepId {
  return toStepId(`${turn.turnId}.s${turn.steps + 1}`);
}

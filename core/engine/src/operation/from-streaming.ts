import {
  type JournalRecord,
  type ModelSettings,
  type ModelStreamPart,
  type ProviderFailure,
  modelName,
  modelNamed,
  nextModel,
} from "@capstan/protocol";
import { completeStep } from "../turn/complete-step.ts";
import { endTurn } from "../turn/end-turn.ts";
import { isCurrent, retryStep } from "../turn/retry-step.ts";
import { abandonedStep } from "../turn/abandoned-step.ts";
import { retryTimer } from "../turn/timers.ts";
import { makeRoom } from "../turn/make-room.ts";
import { askModel, startStep } from "../turn/start-step.ts";
import { type OpenStep, openTurnOf, type Operation, type SessionState } from "@capstan/session";
import { andThen, type Decision, decision, nothing } from "../model/decision.ts";
import type { Stimulus } from "../model/stimulus.ts";

type Streaming = Extract<Operation, { type: "streaming" }>;

/** Notices about unknown stream events per step; a chatty new vendor feature must not flood the journal. */
const maxOdditiesPerStep = 8;
const oddityCharacters = 300;

/** A model call is under way, or waits for its next attempt. */
export function fromStreaming(state: SessionState, operation: Streaming, stimulus: Stimulus): Decision {
  const { step } = operation;
  switch (stimulus.type) {
    case "model-parts":
      return isCurrent(step, stimulus) ? decision(toDeltas(step, stimulus.parts)) : nothing;
    case "model-finished":
      return isCurrent(step, stimulus) ? afterFinish(state, step, stimulus) : nothing;
    case "model-failed":
      return isCurrent(step, stimulus) ? afterFailure(state, operation, stimulus) : nothing;
    case "timer-fired":
      return step.waiting && stimulus.timerId === retryTimer(step) ? attemptAgain(state, operation) : nothing;
    case "process-restarted":
      return afterRestart(state, operation);
    default:
      return nothing;
  }
}

/** The last pieces and the whole answer are one decision: shown in order, and stored once. */
function afterFinish(
  state: SessionState,
  step: OpenStep,
  stimulus: Extract<Stimulus, { type: "model-finished" }>,
): Decision {
  const { finish, parts = [] } = stimulus;
  return andThen(state, decision(toDeltas(step, parts)), (next) => completeStep(next, finish));
}

function toDeltas(step: OpenStep, parts: readonly ModelStreamPart[]): readonly JournalRecord[] {
  const { stepId } = step;
  let oddities = step.oddities;
  return parts.flatMap((part): readonly JournalRecord[] => {
    switch (part.type) {
      case "text-delta":
        return [{ type: "text-delta", stepId, delta: part.delta }];
      case "thinking-delta":
        return [{ type: "thinking-delta", stepId, delta: part.delta }];
      case "tool-arguments-delta":
        return [{ type: "tool-arguments-delta", stepId, index: part.index, name: part.name, delta: part.delta }];
      case "unknown": {
        oddities += 1;
        if (oddities > maxOdditiesPerStep) return [];
        const text = `The model's stream had something unknown (${part.what}): ${JSON.stringify(part.raw).slice(0, oddityCharacters)}`;
        return [{ type: "notice", level: "info", code: "provider.unknown-event", text }];
      }
      case "notice":
        return [{ type: "notice", level: part.level, code: part.code, text: part.text }];
      case "rate-limits":
      case "finish":
        return [];
    }
  });
}

function afterFailure(
  state: SessionState,
  operation: Streaming,
  stimulus: Extract<Stimulus, { type: "model-failed" }>,
): Decision {
  const { step } = operation;
  const { failure } = stimulus;
  const shorter = failure.code === "provider.context" ? sendShorter(state, operation, failure) : null;
  if (shorter !== null) return shorter;
  const fallback = state.config === null ? undefined : nextModel(state.config, step.model);
  // A provider that is known to be down is not waited for where another can be asked.
  const isDown = failure.code === "provider.unavailable" || state.failing.includes(step.model);
  const pointless = fallback !== undefined && isDown;
  const retry = pointless ? null : retryStep(state, step, stimulus);
  if (retry !== null) return retry;
  if (fallback !== undefined) return askInstead(state, operation, failure, fallback);
  return andThen(state, decision([abandonedStep(step, "failed", failure)]), (next) =>
    endTurn(next, { outcome: "provider-failed", message: failure.message, failure }),
  );
}

/** The vendor says that the conversation is too long: it is made shorter once, and sent again in the same turn. */
function sendShorter(state: SessionState, { turn, step }: Streaming, failure: ProviderFailure): Decision | null {
  if (turn.overflowed || state.config === null) return null;
  const model = modelNamed(state.config, step.model);
  if (makeRoom(state, turn, model, "overflow") === null) return null;
  return andThen(
    state,
    decision([abandonedStep(step, "failed", failure)]),
    (next) => makeRoom(next, openTurnOf(next) ?? turn, model, "overflow") ?? nothing,
  );
}

/** Sends the same step again: nothing of it was taken as an answer. */
function attemptAgain(state: SessionState, { turn, step }: Streaming): Decision {
  if (state.config === null) return nothing;
  const model = modelNamed(state.config, step.model);
  return askModel(state, turn, { stepId: step.stepId, attempt: step.attempt + 1, model });
}

/** Sends the step to another model, because the one asked has failed for good. */
function askInstead(
  state: SessionState,
  operation: Streaming,
  failure: ProviderFailure,
  model: ModelSettings,
): Decision {
  const { stepId, attempt } = operation.step;
  const text = `${operation.step.model} failed (${failure.message}); ${modelName(model)} is asked instead until this turn ends.`;
  const records: readonly JournalRecord[] = [
    { type: "notice", level: "warning", code: "provider.fallback", text },
    { type: "step-retrying", stepId, attempt, failure, delayMs: 0 },
  ];
  return andThen(state, decision(records), (next) =>
    askModel(next, operation.turn, { stepId, attempt: attempt + 1, model }),
  );
}

/** The process died while the model answered. Nothing was executed, so asking again is safe; what was shown stays in the journal. */
function afterRestart(state: SessionState, operation: Streaming): Decision {
  const { step } = operation;
  const recovered: JournalRecord = { type: "session-recovered", found: "a model call that had not ended" };
  if (step.abandoned === true) return andThen(state, decision([recovered]), startStep);
  if (step.text === "" && step.thinking === "")
    return andThen(state, decision([recovered]), (next) => attemptAgain(next, operation));
  return andThen(state, decision([recovered, abandonedStep(step, "process-died")]), startStep);
}

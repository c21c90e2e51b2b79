import type { ProviderFailure, StepId } from "@capstan/protocol";
import { type Decision, decision } from "../model/decision.ts";
import type { SessionState } from "../model/state.ts";
import type { Stimulus } from "../model/stimulus.ts";
import { retryTimer } from "./timers.ts";

/** A model call under way, an answer's or a summary's. `waiting`: until the next attempt. */
interface ModelCall {
  readonly stepId: StepId;
  readonly attempt: number;
  readonly waiting: boolean;
}

/** A model call that failed: attempts are counted again for each model. */
interface FailedAttempt {
  readonly attempt: number;
  readonly firstAttempt: number;
}

/** Whether something comes from this attempt of this call, and not from one before it. */
export function isCurrent(call: ModelCall, from: { readonly stepId: StepId; readonly attempt: number }): boolean {
  return !call.waiting && from.stepId === call.stepId && from.attempt === call.attempt;
}

/** Waits for the next attempt of a call; `null`: it has failed for good. */
export function retryStep(
  state: SessionState,
  { stepId, attempt, firstAttempt }: Omit<ModelCall, "waiting"> & FailedAttempt,
  { failure, chance }: Extract<Stimulus, { type: "model-failed" }>,
): Decision | null {
  const delayMs = nextAttempt(state, { attempt, firstAttempt }, failure, chance);
  if (delayMs === null) return null;
  return decision(
    [{ type: "step-retrying", stepId, attempt, failure, delayMs }],
    [{ type: "start-timer", timerId: retryTimer({ stepId, attempt }), delayMs }],
  );
}

/**
 * How long to wait before the next attempt: the vendor's hint where there is one, else doubling from the base with jitter.
 * @param chance  a number in [0, 1)
 * @returns ms, or `null` when the step has failed for good
 */
export function nextAttempt(
  state: SessionState,
  { attempt, firstAttempt }: FailedAttempt,
  failure: ProviderFailure,
  chance: number,
): number | null {
  const retry = state.config?.retry;
  const tries = attempt - firstAttempt + 1;
  if (retry === undefined || !failure.retryable || tries >= retry.maxAttempts) return null;
  const { retryAfterMs } = failure;
  if (retryAfterMs !== undefined) return retryAfterMs <= retry.maxRetryAfterMs ? retryAfterMs : null;
  const delayMs = Math.min(retry.maxDelayMs, retry.baseDelayMs * 2 ** (tries - 1));
  return Math.round(delayMs * (1 - retry.jitter * chance));
}

import { summaryPolicy } from "@capstan/context";
import { retryDelayMs, type RetryPolicy, type StepId } from "@capstan/protocol";
import { type Decision, decision } from "../model/decision.ts";
import type { SessionState } from "@capstan/session";
import type { Stimulus } from "../model/stimulus.ts";
import { retryTimer } from "./timers.ts";

/** A model call under way, an answer's or a summary's. `waiting`: until the next attempt. */
interface ModelCall {
  readonly stepId: StepId;
  readonly attempt: number;
  readonly waiting: boolean;
  readonly abandoned?: true;
}

/** A model call that failed: attempts are counted again for each model. */
interface FailedAttempt {
  readonly attempt: number;
  readonly firstAttempt: number;
}

/** Whether something comes from this attempt of this call, and not from one before it. */
export function isCurrent(call: ModelCall, from: { readonly stepId: StepId; readonly attempt: number }): boolean {
  return !call.waiting && call.abandoned !== true && from.stepId === call.stepId && from.attempt === call.attempt;
}

/** Waits for the next attempt of a call; `null`: it has failed for good. */
export function retryStep(
  state: SessionState,
  { stepId, attempt, firstAttempt }: Omit<ModelCall, "waiting" | "abandoned"> & FailedAttempt,
  { failure, chance }: Extract<Stimulus, { type: "model-failed" }>,
  retry: RetryPolicy | undefined = state.config?.retry,
): Decision | null {
  const delayMs = retry === undefined ? null : retryDelayMs(retry, attempt - firstAttempt + 1, failure, chance);
  if (delayMs === null) return null;
  return decision(
    [{ type: "step-retrying", stepId, attempt, failure, delayMs }],
    [{ type: "start-timer", timerId: retryTimer({ stepId, attempt }), delayMs }],
  );
}

/** The same for a summary, which is not worth waiting for as long. */
export function retrySummary(
  state: SessionState,
  { stepId, attempt }: Omit<ModelCall, "waiting">,
  failed: Extract<Stimulus, { type: "model-failed" }>,
): Decision | null {
  const { config } = state;
  return config === null
    ? null
    : retryStep(state, { stepId, attempt, firstAttempt: 1 }, failed, summaryPolicy(config.retry));
}

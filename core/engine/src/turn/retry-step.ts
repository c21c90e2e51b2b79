import type { ProviderFailure } from "@capstan/protocol";
import type { SessionState } from "../model/state.ts";

/** A model call that failed: attempts are counted again for each model. */
interface FailedAttempt {
  readonly attempt: number;
  readonly firstAttempt: number;
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

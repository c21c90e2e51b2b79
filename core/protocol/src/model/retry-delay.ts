import type { ProviderFailure } from "./model-stream.ts";
import type { RetryPolicy } from "../session-config.ts";

/**
 * How long to wait before the next attempt: the vendor's hint where there is one, else doubling from the base with jitter.
 * @param tries   attempts that were made
 * @param chance  a number in [0, 1)
 * @returns ms, or `null` when the call has failed for good
 */
export function retryDelayMs(
  retry: RetryPolicy,
  tries: number,
  failure: ProviderFailure,
  chance: number,
): number | null {
  if (!failure.retryable || tries >= retry.maxAttempts) return null;
  const { retryAfterMs } = failure;
  if (retryAfterMs !== undefined) return retryAfterMs <= retry.maxRetryAfterMs ? retryAfterMs : null;
  const delayMs = Math.min(retry.maxDelayMs, retry.baseDelayMs * 2 ** (tries - 1));
  return Math.round(delayMs * (1 - retry.jitter * chance));
}

import { limitRate, systemClock, type UserRate } from "@capstan/host";
import type { Middleware } from "@capstan/ports";

export { allowUsers, type UserRate } from "@capstan/host";

/**
 * Refuses messages of users who send too many: each user has a bucket of tokens, however many sessions it has open. Cancels, answers and
 * settings take no token.
 * @throws AppError `usage.invalid` for numbers that let nothing in
 */
export function rateLimit(rate: UserRate): Middleware {
  return limitRate(rate, systemClock);
}

import type { Clock, Middleware } from "@capstan/ports";
import { AppError, type ClientIdentity, type Submission } from "@capstan/protocol";
import { maxBuckets } from "../limits.ts";
import { TokenBucket } from "./token-bucket.ts";

/** Lets only these users in; an empty list lets nobody in. */
export function allowUsers(users: readonly string[]): Middleware {
  const allowed = new Set(users);
  return {
    name: "allow-users",
    enter: ({ identity: { user } }) =>
      user !== undefined && allowed.has(user)
        ? undefined
        : { type: "refuse", code: "door.user", reason: `${user ?? "whoever has no name"} may not use this engine` },
  };
}

export interface UserRate {
  /** Messages a user may send in a minute, on average. */
  readonly perMinute: number;
  /** At once, after a pause; 5 when left out. */
  readonly burst?: number;
}

/**
 * Refuses messages of users who send too many: each user has a bucket of tokens, however many clients and sessions it has. Cancels,
 * answers and settings take no token.
 * @throws AppError `usage.invalid` for numbers that let nothing in
 */
export function limitRate({ perMinute, burst = 5 }: UserRate, clock: Pick<Clock, "elapsed">): Middleware {
  if (!(perMinute > 0) || !(burst >= 1))
    throw new AppError("usage.invalid", "a rate takes perMinute above 0 and a burst of at least 1");
  const size = { capacity: burst, perSecond: perMinute / 60 };
  const buckets = new Map<string, TokenBucket>();
  const others = new TokenBucket(size, clock);
  const bucketOf = ({ user = "" }: ClientIdentity): TokenBucket => {
    const known = buckets.get(user);
    if (known !== undefined) return known;
    if (buckets.size >= maxBuckets) dropFull(buckets);
    // More users than are kept apart share one.
    if (buckets.size >= maxBuckets) return others;
    const bucket = new TokenBucket(size, clock);
    buckets.set(user, bucket);
    return bucket;
  };
  return {
    name: "limit-rate",
    submit: (submission, { identity }) =>
      !isMessage(submission) || bucketOf(identity).take()
        ? undefined
        : {
            type: "refuse",
            code: "door.rate",
            reason: `this user sends more messages than the ${perMinute} a minute that are allowed`,
            hint: "Wait before you send another one.",
          },
  };
}

function isMessage({ type }: Submission): boolean {
  return type === "user-input" || type === "run-for-user";
}

/** A full bucket is as a new one, so that nobody gains by its going. */
function dropFull(buckets: Map<string, TokenBucket>): void {
  for (const [user, bucket] of buckets) if (bucket.isFull) buckets.delete(user);
}

import type { Clock } from "@capstan/ports";
import type { ModelSettings, ProviderFailure, RateLimit } from "@capstan/protocol";
import { CircuitBreaker } from "./circuit-breaker.ts";

/** When a provider is left alone. Times in ms. */
export interface HealthPolicy {
  /** Failures in a row after which a provider is not asked for a while; 0: never. */
  readonly breakerFailures: number;
  readonly breakerMs: number;
  /** The longest wait for a limit to become whole again; where it would be longer, the vendor is asked all the same. */
  readonly maxLimitWaitMs: number;
}

/** What to do about a call that is about to be made. */
export type Admission =
  | { readonly type: "go" }
  /** `text` says why, for users. */
  | { readonly type: "wait"; readonly delayMs: number; readonly text: string }
  | { readonly type: "refused"; readonly failure: ProviderFailure };

/** Limits that are used up, as of a moment of the monotonic clock. */
interface UsedUp {
  readonly limits: readonly RateLimit[];
  readonly atMs: number;
}

/**
 * How the providers of this process are: those that failed several times in a row are left alone for a moment, and a limit
 * that a vendor said is used up is waited for. Shared by all sessions.
 */
export class ProviderHealth {
  readonly #clock: Clock;
  readonly #policy: HealthPolicy;
  readonly #breakers = new Map<string, CircuitBreaker>();
  readonly #usedUp = new Map<string, UsedUp>();

  constructor(clock: Clock, policy: HealthPolicy) {
    this.#clock = clock;
    this.#policy = policy;
  }

  /**
   * To be asked before each call; a call that may go, at once or after the wait, must be followed by one of the other methods.
   * @param tokens  about how many the call needs
   */
  admit(model: ModelSettings, tokens: () => number): Admission {
    const { provider } = model;
    const now = this.#clock.elapsed();
    const breaker = this.#breakers.get(provider);
    const closedForMs = breaker?.admit(now) ?? 0;
    if (breaker !== undefined && closedForMs > 0) {
      return { type: "refused", failure: unavailable(provider, breaker.failures, closedForMs) };
    }
    const usedUp = this.#usedUp.get(limitKey(model));
    if (usedUp === undefined) return { type: "go" };
    this.#usedUp.delete(limitKey(model));
    const [name, refillMs] = longestRefill(usedUp.limits, tokens());
    const delayMs = Math.ceil(usedUp.atMs + refillMs - now);
    if (delayMs <= 0 || delayMs > this.#policy.maxLimitWaitMs) return { type: "go" };
    const text = `${provider}: no ${name} are left for ${model.id}; waiting ${seconds(delayMs)} for the limit to allow this call.`;
    return { type: "wait", delayMs, text };
  }

  /** What an answer's head said of the vendor's limits. */
  limits(model: ModelSettings, limits: readonly RateLimit[]): void {
    const usedUp = limits.filter((limit) => limit.remaining <= 0);
    if (usedUp.length === 0) this.#usedUp.delete(limitKey(model));
    else this.#usedUp.set(limitKey(model), { limits: usedUp, atMs: this.#clock.elapsed() });
  }

  /** @returns what people should be shown, if anything */
  succeeded({ provider }: ModelSettings): string | undefined {
    const wasOpen = this.#breakers.get(provider)?.close() ?? false;
    return wasOpen ? `${provider} answers again.` : undefined;
  }

  /** @returns what people should be shown, if anything */
  failed({ provider }: ModelSettings, failure: ProviderFailure): string | undefined {
    const { breakerFailures, breakerMs } = this.#policy;
    // A call that was refused here says nothing new.
    if (breakerFailures === 0 || failure.code === "provider.unavailable") return undefined;
    if (!isOutage(failure)) {
      // Whoever refuses a request is there.
      if (failure.status !== 429) this.#breakers.get(provider)?.close();
      return undefined;
    }
    const breaker = this.#breakers.get(provider) ?? new CircuitBreaker(breakerFailures, breakerMs);
    this.#breakers.set(provider, breaker);
    if (!breaker.fail(this.#clock.elapsed())) return undefined;
    return `${provider} failed ${breaker.failures} times in a row; it is left alone for ${seconds(breakerMs)}.`;
  }

  /** The call was stopped from our side: it says nothing about the provider. */
  stopped({ provider }: ModelSettings): void {
    this.#breakers.get(provider)?.giveUpTrial();
  }
}

/** Limits are counted per model, or per family of models. */
function limitKey({ provider, id }: ModelSettings): string {
  return `${provider}/${id}`;
}

/**
 * The limit that takes longest to allow a call, and how long. Limits fill up all the time, so that a part of a limit takes a
 * part of the time after which it is whole; where its size is not known, all of it is waited for.
 */
function longestRefill(limits: readonly RateLimit[], tokens: number): readonly [name: string, refillMs: number] {
  let longest: readonly [string, number] = ["", 0];
  for (const { name, allowed = 0, resetsInMs } of limits) {
    const needed = /request/.test(name) ? 1 : tokens;
    const refillMs = allowed > 0 ? resetsInMs * Math.min(1, needed / allowed) : resetsInMs;
    if (refillMs > longest[1]) longest = [name, refillMs];
  }
  return longest;
}

/** Whether a failure says that the provider is down, and not that it did not like the request. */
function isOutage({ code, status }: ProviderFailure): boolean {
  switch (code) {
    case "provider.network":
    case "provider.timeout":
    case "provider.stream":
      return true;
    case "provider.http":
      return status !== undefined && (status >= 500 || status === 408);
    case "provider.auth":
    case "provider.context":
    case "provider.protocol":
    case "provider.unavailable":
      return false;
  }
}

function unavailable(provider: string, failures: number, closedForMs: number): ProviderFailure {
  return {
    code: "provider.unavailable",
    provider,
    message: `${provider}: failed ${failures} times in a row; the next try is in ${seconds(closedForMs)}`,
    retryable: true,
    retryAfterMs: closedForMs,
    hint: "Wait, or name other models to turn to in app.model_fallbacks.",
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}

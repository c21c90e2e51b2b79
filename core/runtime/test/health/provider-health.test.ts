import type { ModelSettings, ProviderFailure } from "@capstan/protocol";
import { type Admission, type HealthPolicy, ProviderHealth } from "@capstan/runtime";
import { FakeClock, providerFailure, sessionConfig } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const model = sessionConfig().model;
const sibling: ModelSettings = { ...model, id: "model-2" };
const otherModel: ModelSettings = { ...model, provider: "other" };
const outage = providerFailure({ status: 503 });

function newHealth(policy: Partial<HealthPolicy> = {}): { health: ProviderHealth; clock: FakeClock } {
  const clock = new FakeClock();
  const whole = { breakerFailures: 3, breakerMs: 10_000, maxLimitWaitMs: 60_000, ...policy };
  return { health: new ProviderHealth(clock, whole), clock };
}

/** A call of 1,000 tokens. */
function admit(health: ProviderHealth, who: ModelSettings): Admission {
  return health.admit(who, () => 1000);
}

function failTimes(health: ProviderHealth, times: number, failure: ProviderFailure = outage): (string | undefined)[] {
  return Array.from({ length: times }, () => health.failed(model, failure));
}

test("a provider that failed so often in a row is refused until its time has passed, and the user is notified once", () => {
  const { health, clock } = newHealth();
  expect(failTimes(health, 3)).toEqual([
    undefined,
    undefined,
    "test failed 3 times in a row; it is left alone for 10 s.",
  ]);
  clock.advance(4000);
  expect(admit(health, sibling)).toMatchObject({
    type: "refused",
    failure: { code: "provider.unavailable", provider: "test", retryable: true, retryAfterMs: 6000 },
  });
  expect(admit(health, otherModel)).toEqual({ type: "go" });
});

test("then one call tries: while it does the others wait, and its end decides", () => {
  const { health, clock } = newHealth();
  failTimes(health, 3);
  clock.advance(10_000);
  expect(admit(health, model)).toEqual({ type: "go" });
  expect(admit(health, sibling)).toMatchObject({ type: "refused" });
  expect(health.failed(model, outage)).toContain("left alone for 10 s");
  expect(admit(health, model)).toMatchObject({ type: "refused", failure: { retryAfterMs: 10_000 } });
  clock.advance(10_000);
  expect(admit(health, model)).toEqual({ type: "go" });
  expect(health.succeeded(model)).toBe("test answers again.");
  expect([admit(health, model), admit(health, sibling)]).toEqual([{ type: "go" }, { type: "go" }]);
  expect(health.succeeded(model)).toBeUndefined();
});

test("a trial that is stopped from our side leaves the next call to try", () => {
  const { health, clock } = newHealth();
  failTimes(health, 3);
  clock.advance(10_000);
  expect(admit(health, model)).toEqual({ type: "go" });
  health.stopped(model);
  expect(admit(health, model)).toEqual({ type: "go" });
});

test("an answer in between, or a refusal of the request itself, restarts the count; a rate limit does not count", () => {
  const { health } = newHealth();
  failTimes(health, 2);
  health.succeeded(model);
  failTimes(health, 2);
  failTimes(health, 1, providerFailure({ status: 400, retryable: false }));
  failTimes(health, 2);
  failTimes(health, 9, providerFailure({ status: 429 }));
  expect(admit(health, model)).toEqual({ type: "go" });
  failTimes(health, 1, providerFailure({ code: "provider.network" }));
  expect(admit(health, model)).toMatchObject({ type: "refused" });
});

test("without a threshold nobody is ever left alone", () => {
  const { health } = newHealth({ breakerFailures: 0 });
  expect(failTimes(health, 50).filter(Boolean)).toEqual([]);
  expect(admit(health, model)).toEqual({ type: "go" });
});

test("a limit that is used up is waited for once, for its own model, and the user is notified", () => {
  const { health, clock } = newHealth();
  health.limits(model, [
    { name: "requests", remaining: 5, resetsInMs: 50_000 },
    { name: "input-tokens", remaining: 0, resetsInMs: 3000 },
    { name: "tokens", remaining: 0, resetsInMs: 2000 },
  ]);
  clock.advance(500);
  expect(admit(health, sibling)).toEqual({ type: "go" });
  expect(admit(health, model)).toEqual({
    type: "wait",
    delayMs: 2500,
    text: "test: no input-tokens are left for model-1; waiting 2.5 s for the limit to allow this call.",
  });
  expect(admit(health, model)).toEqual({ type: "go" });
});

test("where a limit's size is known, only the part that the call needs is waited for", () => {
  const { health } = newHealth();
  health.limits(model, [{ name: "requests", remaining: 0, allowed: 60, resetsInMs: 60_000 }]);
  expect(admit(health, model)).toMatchObject({ type: "wait", delayMs: 1000 });
  health.limits(model, [{ name: "tokens", remaining: 0, allowed: 40_000, resetsInMs: 60_000 }]);
  expect(admit(health, model)).toMatchObject({ type: "wait", delayMs: 1500 });
  health.limits(model, [{ name: "tokens", remaining: 0, allowed: 500, resetsInMs: 60_000 }]);
  expect(admit(health, model)).toMatchObject({ type: "wait", delayMs: 60_000 });
});

test("a limit that is whole again, or that would take too long, is not waited for", () => {
  const { health, clock } = newHealth();
  const usedUp = [{ name: "requests", remaining: 0, resetsInMs: 3000 }];
  health.limits(model, usedUp);
  clock.advance(3000);
  expect(admit(health, model)).toEqual({ type: "go" });
  health.limits(model, usedUp);
  health.limits(model, [{ name: "requests", remaining: 1, resetsInMs: 3000 }]);
  expect(admit(health, model)).toEqual({ type: "go" });
  health.limits(model, [{ name: "requests", remaining: 0, resetsInMs: 60_001 }]);
  expect(admit(health, model)).toEqual({ type: "go" });
});

test("whatever happens, after the time of the breaker a call may go, and never more than one before it has ended", () => {
  type Event = "fail" | "succeed" | "stop" | "wait";
  const events = fc.array(fc.constantFrom<Event>("fail", "succeed", "stop", "wait"), { maxLength: 40 });
  fc.assert(
    fc.property(events, (history) => {
      const { health, clock } = newHealth();
      for (const event of history) {
        if (event === "fail") health.failed(model, outage);
        else if (event === "succeed") health.succeeded(model);
        else if (event === "stop") health.stopped(model);
        else clock.advance(2500);
      }
      clock.advance(10_000);
      expect(admit(health, model)).toEqual({ type: "go" });
      failTimes(health, 3);
      expect(admit(health, model)).toMatchObject({ type: "refused" });
    }),
  );
});

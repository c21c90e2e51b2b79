import type { Middleware } from "@capstan/ports";
import { toTurnId } from "@capstan/protocol";
import { expect, test } from "vitest";
import { middlewareLimitMs } from "../src/limits.ts";
import { MiddlewareChain } from "../src/door/middleware-chain.ts";
import { limitRate } from "../src/door/ready-middleware.ts";

const words = { type: "user-input", turnId: toTurnId("t"), content: [] } as const;
const visitorNamed = (user: string) =>
  ({ identity: { frontend: "test", role: "operate", user }, sessionId: null }) as const;

test("middleware that hangs refuses when its time is over, and the next submission is asked about again", async () => {
  const waiting: { readonly delayMs: number; readonly fire: () => void }[] = [];
  let calls = 0;
  const slow: Middleware = {
    name: "slow",
    submit: async () => ((calls += 1) === 1 ? await new Promise(() => undefined) : undefined),
  };
  const chain = new MiddlewareChain([slow], {
    clock: { after: (delayMs, fire) => (waiting.push({ delayMs, fire }), () => undefined) },
    report: () => undefined,
  });
  const refused = chain.submit(words, visitorNamed("ann"));
  expect(waiting.map(({ delayMs }) => delayMs)).toEqual([middlewareLimitMs]);
  waiting[0]?.fire();
  expect(await refused).toEqual({
    type: "refused",
    code: "door.middleware",
    reason: "the middleware slow gave no answer in time",
  });
  expect(await chain.submit(words, visitorNamed("ann"))).toBe(null);
});

test("a user's bucket starts full, fills with time, and never holds more than the burst", async () => {
  const clock = { now: 0, elapsed: () => clock.now };
  const limit = limitRate({ perMinute: 60, burst: 5 }, clock);
  const sent = async (count: number): Promise<number> => {
    const all: unknown[] = [];
    for (let number = 0; number < count; number += 1) all.push(await limit.submit?.(words, visitorNamed("ann")));
    return all.filter((answer) => answer === undefined).length;
  };
  expect(await sent(9)).toBe(5);
  clock.now += 2000;
  expect(await sent(9)).toBe(2);
  clock.now += 3_600_000;
  expect(await sent(9)).toBe(5);
});

import type { ModelStreamPart } from "@capstan/protocol";
import { ProviderHealth } from "@capstan/runtime";
import { FakeClock, nextRecord, providerFailure, type ScriptedCall, sessionConfig, textAnswer } from "@capstan/testkit";
import { expect, test } from "vitest";
import { journalOf, openSession, type OpenWorld, say } from "../open-session.ts";

const usedUp: readonly ModelStreamPart[] = [
  { type: "rate-limits", limits: [{ name: "requests", remaining: 0, resetsInMs: 4000 }] },
];
const done: ScriptedCall = { type: "answer", finish: textAnswer("done") };
const once = sessionConfig({ retry: { maxAttempts: 1 } });

function world(script: readonly ScriptedCall[]): Promise<OpenWorld> {
  const clock = new FakeClock();
  const health = new ProviderHealth(clock, { breakerFailures: 2, breakerMs: 10_000, maxLimitWaitMs: 60_000 });
  return openSession({ script, clock, health, config: once });
}

async function takeTurn({ session }: OpenWorld, turn: string): Promise<string> {
  const ended = nextRecord(session, "turn-ended");
  await say(session, turn);
  return (await ended).outcome;
}

async function noticesOf({ store }: OpenWorld): Promise<readonly string[]> {
  return (await journalOf(store)).flatMap((record) => (record.type === "notice" ? [record.text] : []));
}

test("a call after a used-up limit waits for the limit, and says so; what the vendor said is in no record", async () => {
  const opened = await world([{ ...done, pieces: [usedUp] }, done]);
  expect(await takeTurn(opened, "t1")).toBe("done");
  const reported = nextRecord(opened.session, "notice");
  const ended = nextRecord(opened.session, "turn-ended");
  await say(opened.session, "t2");
  expect((await reported).text).toContain("no requests are left");
  expect(opened.provider.requests).toHaveLength(1);
  opened.clock.advance(4000);
  expect((await ended).outcome).toBe("done");
  expect(JSON.stringify(await journalOf(opened.store))).not.toContain("rate-limits");
  await opened.session.close();
});

test("a wait for a limit ends at once when the turn is cancelled", async () => {
  const opened = await world([{ ...done, pieces: [usedUp] }, done]);
  await takeTurn(opened, "t1");
  const reported = nextRecord(opened.session, "notice");
  const ended = nextRecord(opened.session, "turn-ended");
  await say(opened.session, "t2");
  await reported;
  await opened.session.submit({ type: "cancel", reason: "interrupted" });
  expect((await ended).outcome).toBe("interrupted");
  await opened.session.close();
  expect(opened.provider.requests).toHaveLength(1);
  expect(opened.clock.waitingMs).toEqual([]);
});

test("a provider that keeps failing is not asked, the user is notified, and it is asked again after its time", async () => {
  const failing: ScriptedCall = { type: "fail", failure: providerFailure({ status: 503, retryable: false }) };
  const opened = await world([failing, failing, done]);
  const outcomes = [await takeTurn(opened, "t1"), await takeTurn(opened, "t2"), await takeTurn(opened, "t3")];
  expect(outcomes).toEqual(["provider-failed", "provider-failed", "provider-failed"]);
  expect(opened.provider.requests).toHaveLength(2);
  opened.clock.advance(10_000);
  expect(await takeTurn(opened, "t4")).toBe("done");
  expect(await noticesOf(opened)).toEqual([
    "test failed 2 times in a row; it is left alone for 10 s.",
    "test answers again.",
  ]);
  await opened.session.close();
});

import { FakeClock, nextRecord, type ScriptedCall, sessionConfig, textAnswer } from "@capstan/testkit";
import { expect, test } from "vitest";
import { journalOf, openSession, type OpenWorld, say } from "../open-session.ts";

const trickles: ScriptedCall = {
  type: "hang",
  pieces: [[{ type: "text-delta", delta: "On" }], [{ type: "text-delta", delta: "ce" }]],
};
const done: ScriptedCall = { type: "answer", finish: textAnswer("done") };

async function world(script: readonly ScriptedCall[], maxAttempts = 1): Promise<OpenWorld> {
  const config = sessionConfig({ retry: { maxAttempts } });
  return openSession({ script, clock: new FakeClock(), config, callLimitMs: 600_000 });
}

/** Lets everything run that does not wait for time. */
async function untilHanging({ provider }: OpenWorld): Promise<void> {
  while (provider.hanging === 0) await new Promise((turn) => setImmediate(turn));
}

test("an answer that is not whole after its time is a failure, however much of it trickled; the next has its own time", async () => {
  const opened = await world([trickles, trickles, done]);
  for (const turn of ["t1", "t2"]) {
    const ended = nextRecord(opened.session, "turn-ended");
    await say(opened.session, turn);
    await untilHanging(opened);
    opened.clock.advance(599_999);
    expect(opened.provider.hanging).toBe(1);
    opened.clock.advance(1);
    const { outcome, message } = await ended;
    expect([outcome, message]).toEqual(["provider-failed", expect.stringContaining("not whole after 600 s")]);
  }
  const ended = nextRecord(opened.session, "turn-ended");
  await say(opened.session, "t3");
  expect((await ended).outcome).toBe("done");
  expect([opened.provider.hanging, opened.clock.waitingMs]).toEqual([0, []]);
  await opened.session.close();
});

test("it is asked again like after any failure that may pass, as the same step; another step is another", async () => {
  const opened = await world([trickles, done, done], 2);
  const retrying = nextRecord(opened.session, "step-retrying");
  const ended = nextRecord(opened.session, "turn-ended");
  await say(opened.session, "t1");
  await untilHanging(opened);
  opened.clock.advance(600_000);
  const { delayMs } = await retrying;
  while (opened.clock.waitingMs.length === 0) await new Promise((turn) => setImmediate(turn));
  opened.clock.advance(delayMs);
  expect((await ended).outcome).toBe("done");
  const again = nextRecord(opened.session, "turn-ended");
  await say(opened.session, "t2");
  await again;
  expect(opened.provider.requests.map((request) => request.stepId)).toEqual(["t1.s1", "t1.s1", "t2.s1"]);
  await opened.session.close();
});

test("a cancel before that leaves no timer behind", async () => {
  const opened = await world([trickles]);
  const ended = nextRecord(opened.session, "turn-ended");
  await say(opened.session, "t1");
  await untilHanging(opened);
  await opened.session.submit({ type: "cancel", reason: "interrupted" });
  expect((await ended).outcome).toBe("interrupted");
  await opened.session.close();
  expect(opened.clock.waitingMs).toEqual([]);
  expect((await journalOf(opened.store)).filter((record) => record.type === "step-retrying")).toEqual([]);
});

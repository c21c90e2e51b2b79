import { type Frame, type Receipt, type SessionClient, userText } from "@capstan/protocol";
import { asDriver, FollowedSession, memoryEngine } from "@capstan/testkit";
import { expect, test } from "vitest";
import { untilAtRest, type Watched } from "../../src/server/until-at-rest.ts";

async function say(client: SessionClient, text: string): Promise<Receipt> {
  return await client.submit({ type: "user-input", turnId: engine.newTurnId(), content: userText(text) });
}

const engine = memoryEngine();

/** The records after a number, which the wait promises to be the last. */
async function recordsAfter(client: SessionClient, seq: number): Promise<number> {
  return (await client.snapshot()).seq - seq;
}

/** The same client, which is level with the journal all the time, and says when more than the first frame is asked for. */
function watchedFrames(client: SessionClient, level: { isReached: boolean }): Watched {
  return {
    snapshot: async () => await client.snapshot(),
    async *attach(after: number): AsyncGenerator<Frame> {
      for await (const frame of client.attach(after)) {
        if (frame.type !== "live") yield frame;
        level.isReached = true;
      }
    },
  };
}

test("a session at rest is not waited for, time after time", async () => {
  const client = await engine.open({ type: "new" }, asDriver);
  const { seq } = await client.snapshot();
  expect(await untilAtRest(client)).toBe(seq);
  await say(client, "hold");
  await client.submit({ type: "cancel", reason: "interrupted" });
  expect(await untilAtRest(client)).toBe((await client.snapshot()).seq);
});

test("the end of a turn is the end of the wait, though nothing follows it", async () => {
  const client = await engine.open({ type: "new" }, asDriver);
  for (let turns = 1; turns <= 2; turns += 1) {
    await say(client, "hold");
    const level = { isReached: false };
    const waits = untilAtRest(watchedFrames(client, level));
    while (!level.isReached) await new Promise((turn) => setImmediate(turn));
    await new Promise((turn) => setImmediate(turn));
    await client.submit({ type: "cancel", reason: "interrupted" });
    expect(await recordsAfter(client, await waits)).toBe(0);
    expect((await client.snapshot()).turns.length).toBe(turns);
  }
});

test("a turn is waited for, and so are those that are queued behind it", async () => {
  const client = await engine.open({ type: "new" }, asDriver);
  for (const text of ["hold", "count 2", "count 3"]) await say(client, text);
  const waits = untilAtRest(client);
  await client.submit({ type: "cancel", reason: "interrupted" });
  const seq = await waits;
  const { activity, turns } = await client.snapshot();
  expect([activity.type, turns.length, await recordsAfter(client, seq)]).toEqual(["idle", 3, 0]);
});

test("what waits for a user is at rest, and the turn's end is waited for once the answer is there", async () => {
  const client = await engine.open({ type: "new" }, asDriver);
  for (const text of ["count 2", "ask", "count 3"]) await say(client, text);
  const followed = new FollowedSession(client, 0);
  const seq = await untilAtRest(client);
  const { activity, pending } = await client.snapshot();
  expect([activity.type, await recordsAfter(client, seq)]).toEqual(["awaiting-approval", 0]);
  const [asked] = pending;
  if (asked?.request.type !== "approval") throw new Error("an approval is open");
  const answer = { type: "approve", digest: asked.request.action.digest, scope: "once" } as const;
  await client.submit({ type: "answer", interactionId: asked.id, answer });
  const last = await untilAtRest(client);
  expect((await client.snapshot()).turns.length).toBe(3);
  expect(await recordsAfter(client, last)).toBe(0);
  expect(followed.events.filter(({ record }) => record.type === "turn-ended").length).toBe(3);
  await followed.close();
});

test("a session that is closed in the middle of a turn is waited for no longer", async () => {
  const client = await engine.open({ type: "new" }, asDriver);
  await say(client, "hold");
  const { seq } = await client.snapshot();
  const waits = untilAtRest(client);
  await client.close();
  expect(await waits).toBe(seq);
});

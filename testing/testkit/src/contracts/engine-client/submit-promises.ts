import { type Receipt, toInteractionId, toTurnId, userText } from "@capstan/protocol";
import { expect, test } from "vitest";
import { begin, ended, join, type MakeEngine, say, using } from "./under-test.ts";

export function submitPromises(make: MakeEngine): void {
  test("an accepted submission names a record that is durable by then", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const session = await begin(engine);
      const { receipt, turnId } = await say(engine, session, "hello");
      expect(receipt).toEqual({ type: "accepted", seq: expect.any(Number) });
      const started = (await engine.sessions.read(session.id, 0)).filter(
        ({ record }) => record.type === "turn-started",
      );
      expect(started.map(({ record }) => record)).toMatchObject([{ turnId }]);
      expect(started[0]?.seq).toBeLessThanOrEqual(seqOf(receipt));
    });
  });

  test("the same submission twice, from two clients at once, counts once", async () => {
    await using(make, async ({ connect }) => {
      const [engine, other] = [await connect(), await connect()];
      const session = await begin(engine);
      const second = await join(other, session.id);
      const input = { type: "user-input", turnId: engine.newTurnId(), content: userText("hello") } as const;
      const receipts = await Promise.all([session.submit(input), second.submit(input), session.submit(input)]);
      expect(receipts.map(({ type }) => type)).toEqual(["accepted", "accepted", "accepted"]);
      await ended(session, input.turnId);
      await session.submit(input);
      const records = (await engine.sessions.read(session.id, 0)).map(({ record }) => record.type);
      expect(records.filter((type) => type === "turn-started")).toHaveLength(1);
      expect(records.filter((type) => type === "turn-queued")).toHaveLength(0);
    });
  });

  test("what changes nothing is refused with a code and a reason", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const session = await begin(engine);
      const content = userText("hello");
      const [turnId, other] = [engine.newTurnId(), toTurnId("no-such-turn")];
      checkRefused(await session.submit({ type: "user-input", turnId, content: userText("  ") }), "input.empty");
      const steer = { type: "user-input", turnId, content, delivery: "steer", expectedTurnId: other } as const;
      expect((await session.submit(steer)).type).toBe("refused");
      checkRefused(
        await session.submit({ type: "queue-change", turnId: other, change: { type: "remove" } }),
        "queue.unknown",
      );
      const answer = { interactionId: toInteractionId("none"), answer: { type: "deny" } } as const;
      checkRefused(await session.submit({ type: "answer", ...answer }), "interaction.unknown");
    });
  });

  test("inputs wait in line, are taken out, and the next one begins when the turn is cancelled", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const session = await begin(engine);
      const held = await say(engine, session, "hold");
      const [removed, kept] = [await say(engine, session, "first"), await say(engine, session, "second")];
      const change = { type: "queue-change", turnId: removed.turnId, change: { type: "remove" } } as const;
      expect((await session.submit(change)).type).toBe("accepted");
      checkRefused(await session.submit(change), "queue.unknown");
      const cancel = { type: "cancel", reason: "interrupted" } as const;
      checkRefused(await session.submit({ ...cancel, turnId: kept.turnId }), "input.other-turn");
      expect((await session.submit({ ...cancel, turnId: held.turnId })).type).toBe("accepted");
      expect((await ended(session, held.turnId))?.record).toMatchObject({ outcome: "interrupted" });
      expect((await ended(session, kept.turnId))?.record).toMatchObject({ outcome: "done" });
      const started = (await engine.sessions.read(session.id, 0)).flatMap(({ record }) =>
        record.type === "turn-started" ? [record.turnId] : [],
      );
      expect(started).toEqual([held.turnId, kept.turnId]);
    });
  });
}

export function checkRefused(receipt: Receipt | undefined, code: string): void {
  expect(receipt).toMatchObject({ type: "refused", code, reason: expect.stringMatching(/./) });
}

function seqOf(receipt: Receipt): number {
  return receipt.type === "accepted" ? receipt.seq : Number.NaN;
}

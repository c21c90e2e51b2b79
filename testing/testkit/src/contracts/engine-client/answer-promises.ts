import type { EngineClient, Frame, Interaction, SessionClient } from "@capstan/protocol";
import { expect, test } from "vitest";
import { checkRefused } from "./submit-promises.ts";
import {
  begin,
  ended,
  eventsOf,
  framesUntil,
  identityOf,
  join,
  type MakeEngine,
  nextWhere,
  say,
  using,
} from "./under-test.ts";

export function answerPromises(make: MakeEngine): void {
  test("of two answers at once one counts, and both learn which", async () => {
    await using(make, async ({ connect }) => {
      const [engine, other] = [await connect(), await connect()];
      const session = await begin(engine);
      const second = await join(other, session.id, identityOf("approve", "grace"));
      const { turnId } = await say(engine, session, "ask");
      const interaction = await opened(session);
      const frames = [session, second].map((each) => framesUntil(each, 0, resolves));
      const approve = {
        type: "answer",
        interactionId: interaction.id,
        answer: { type: "approve", digest: interaction.digest },
      } as const;
      const receipts = await Promise.all([
        session.submit({ ...approve, answerId: "first" }),
        second.submit({ ...approve, answerId: "second" }),
      ]);
      expect(receipts.map(({ type }) => type).toSorted()).toEqual(["accepted", "refused"]);
      checkRefused(
        receipts.find(({ type }) => type === "refused"),
        "interaction.settled",
      );
      const winner = receipts[0]?.type === "accepted" ? "first" : "second";
      for (const seen of await Promise.all(frames))
        expect(eventsOf(seen).at(-1)?.record).toMatchObject({ type: "interaction-resolved", answerId: winner });
      expect((await ended(session, turnId))?.record).toMatchObject({ outcome: "done" });
    });
  });

  test("an answer to something else than was shown is refused", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const session = await begin(engine);
      await say(engine, session, "ask");
      const { id: interactionId } = await opened(session);
      const answer = { type: "approve", digest: "of something else" } as const;
      checkRefused(await session.submit({ type: "answer", interactionId, answer }), "interaction.stale");
    });
  });
}

/** What waits in a session, once it does. */
export async function opened(session: SessionClient): Promise<Interaction> {
  const frames = await framesUntil(
    session,
    0,
    (frame) => frame.type === "record" && frame.event.record.type === "interaction-opened",
  );
  const record = eventsOf(frames).at(-1)?.record;
  if (record?.type !== "interaction-opened") throw new Error("nothing was asked");
  return record.interaction;
}

function resolves(frame: Frame): boolean {
  return frame.type === "record" && frame.event.record.type === "interaction-resolved";
}

/** What waits in the inbox, once it does. */
export async function waitingIn(engine: EngineClient): Promise<{ readonly interaction: Interaction }> {
  const lists = engine.interactions.watch()[Symbol.asyncIterator]();
  const [entry] = await nextWhere(lists, (list) => list.length > 0);
  await lists.return?.();
  if (entry === undefined) throw new Error("nothing waits");
  return entry;
}

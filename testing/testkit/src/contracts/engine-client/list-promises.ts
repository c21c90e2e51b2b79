import { expect, test } from "vitest";
import { opened, waitingIn } from "./answer-promises.ts";
import { begin, ended, identityOf, type MakeEngine, nextOf, nextWhere, say, using } from "./under-test.ts";

export function listPromises(make: MakeEngine): void {
  test("the session list is pushed once, and again when a session begins and when it gets a title", async () => {
    await using(make, async ({ connect }) => {
      const [engine, watcher] = [await connect(), await connect()];
      const lists = watcher.sessions.watch()[Symbol.asyncIterator]();
      expect(await nextOf(lists)).toEqual([]);
      const session = await begin(engine);
      await ended(session, (await say(engine, session, "hello")).turnId);
      await nextWhere(lists, (list) => list.some(({ id }) => id === session.id));
      await session.submit({ type: "title", title: "The name" });
      await nextWhere(lists, ([first]) => first?.title === "The name");
      expect(await watcher.sessions.resolve("The name")).toBe(session.id);
      const waiting = lists.next();
      await lists.return?.();
      expect((await waiting).done).toBe(true);
    });
  });

  test("the inbox is pushed once, when something waits, and when it is answered from anywhere", async () => {
    await using(make, async ({ connect }) => {
      const [engine, other] = [await connect(), await connect()];
      const inbox = other.interactions.watch()[Symbol.asyncIterator]();
      expect(await nextOf(inbox)).toEqual([]);
      const session = await begin(engine);
      const { turnId } = await say(engine, session, "ask");
      const asked = await opened(session);
      const [entry] = await nextWhere(inbox, (entries) => entries.length > 0);
      expect(entry).toMatchObject({ sessionId: session.id, interaction: { id: asked.id, digest: asked.digest } });
      expect((await waitingIn(other)).interaction.id).toBe(asked.id);
      const place = { sessionId: session.id, interactionId: asked.id };
      const receipt = await other.interactions.answer(
        place,
        { type: "approve", digest: asked.digest },
        identityOf("approve"),
      );
      expect(receipt).toMatchObject({ type: "accepted" });
      await nextWhere(inbox, (entries) => entries.length === 0);
      expect((await ended(session, turnId))?.record).toMatchObject({ outcome: "done" });
      expect(await other.interactions.answer(place, { type: "deny" }, identityOf("approve"))).toMatchObject({
        type: "refused",
        code: "interaction.settled",
      });
      await inbox.return?.();
    });
  });
}

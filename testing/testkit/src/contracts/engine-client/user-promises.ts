import { expect, test } from "vitest";
import { begin, identityOf, join, type MakeEngine, nextWhere, using } from "./under-test.ts";

export function userPromises(make: MakeEngine): void {
  test("a draft is its user's, in this session, until it is removed", async () => {
    await using(make, async ({ connect }) => {
      const [engine, other] = [await connect(), await connect()];
      const session = await begin(engine, identityOf("operate", "ada"));
      await session.saveDraft("half a thought");
      const sameUser = await join(other, session.id, identityOf("drive", "ada"));
      expect(await sameUser.draft()).toEqual({ text: "half a thought", at: expect.any(Number) });
      expect(await (await join(other, session.id, identityOf("drive", "grace"))).draft()).toBeNull();
      await sameUser.saveDraft("");
      expect(await session.draft()).toBeNull();
    });
  });

  test("who is attached is known to all of them", async () => {
    await using(make, async ({ connect }) => {
      const session = await begin(await connect(), identityOf("operate", "ada"));
      const watcher = await join(await connect(), session.id, identityOf("watch", "grace"));
      const frames = [session, watcher].map((each) => each.attach(0)[Symbol.asyncIterator]());
      for (const each of frames) await nextWhere(each, ({ type }) => type === "live");
      const present = await session.presence();
      expect(present.map(({ user = "", role }) => `${user}: ${role}`).toSorted()).toEqual([
        "ada: operate",
        "grace: watch",
      ]);
      expect(await watcher.presence()).toEqual(present);
      for (const each of frames) await each.return?.();
    });
  });
}

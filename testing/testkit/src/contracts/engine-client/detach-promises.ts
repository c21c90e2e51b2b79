import type { Frame } from "@capstan/protocol";
import { expect, test } from "vitest";
import { begin, endsTurn, join, type MakeEngine, nextOf, say, using } from "./under-test.ts";

export function detachPromises(make: MakeEngine): void {
  test("an attachment that is given up while it waits ends at once", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const session = await begin(engine);
      const frames = session.attach(0)[Symbol.asyncIterator]();
      await waitForLive(frames);
      const waiting = frames.next();
      await frames.return?.();
      expect((await waiting).done).toBe(true);
      expect((await frames.next()).done).toBe(true);
    });
  });

  test("closing a client ends its attachments and nobody else's", async () => {
    await using(make, async ({ connect }) => {
      const [engine, other] = [await connect(), await connect()];
      const session = await begin(engine);
      const second = await join(other, session.id);
      const [mine, others] = [session.attach(0)[Symbol.asyncIterator](), second.attach(0)[Symbol.asyncIterator]()];
      await waitForLive(mine);
      await waitForLive(others);
      await session.close();
      checkEnd(await mine.next());
      const { turnId } = await say(other, second, "hello");
      for (let frame = await nextOf(others); !endsTurn(frame, turnId); frame = await nextOf(others));
      await others.return?.();
      expect((await second.snapshot()).activity.type).toBe("idle");
    });
  });
}

async function waitForLive(frames: AsyncIterator<Frame>): Promise<void> {
  for (let frame = await nextOf(frames); frame.type !== "live"; frame = await nextOf(frames));
}

/** Nothing follows: the iteration is over, or says so first. */
function checkEnd(next: IteratorResult<Frame>): void {
  expect(next.done === true || next.value.type).toBe(next.done === true ? true : "closed");
}

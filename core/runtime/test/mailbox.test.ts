import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Mailbox } from "../src/mailbox.ts";

test("one item at a time, in the order of arrival, however long each takes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(fc.nat(), { maxLength: 10 }), async (scheduler, items) => {
      const handled: number[] = [];
      let busy = 0;
      const mailbox = new Mailbox<number, void>(async (item) => {
        busy += 1;
        expect(busy).toBe(1);
        await scheduler.schedule(Promise.resolve());
        busy -= 1;
        handled.push(item);
      });
      const pushed = items.map((item) => mailbox.push(item));
      await scheduler.waitFor(Promise.all(pushed));
      expect(handled).toEqual(items);
    }),
    { numRuns: 50 },
  );
});

test("an item that fails is reported to its sender alone; the others continue", async () => {
  const mailbox = new Mailbox<string, void>(async (item) => {
    if (item === "bad") throw new Error("bad item");
  });
  const results = await Promise.allSettled(["good", "bad", "good"].map((item) => mailbox.push(item)));
  expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("drained waits for everything pushed before", async () => {
  const handled: string[] = [];
  const mailbox = new Mailbox<string, void>(async (item) => {
    await Promise.resolve();
    handled.push(item);
  });
  const pushes = [mailbox.push("a"), mailbox.push("b")];
  await mailbox.drained();
  expect(handled).toEqual(["a", "b"]);
  await Promise.all(pushes);
});

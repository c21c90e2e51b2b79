import type { Frame, SessionEvent, SessionSnapshot } from "@capstan/protocol";
import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { EventFeed } from "../src/feed/event-feed.ts";
import { maxHandedOnCharacters } from "../src/limits.ts";

/** A session that only counts: what is appended is stored first and published afterwards, some of it later. */
class CountingSession {
  readonly stored: SessionEvent[] = [];
  published = 0;
  readonly feeds = new Set<EventFeed>();
  reads = 0;

  append(count: number, text?: string): void {
    for (let added = 0; added < count; added += 1) {
      const seq = this.stored.length + 1;
      this.stored.push({ seq, at: 0, record: { type: "notice", level: "info", code: "n", text: text ?? `${seq}` } });
    }
  }

  publish(): void {
    const events = this.stored.slice(this.published);
    this.published = this.stored.length;
    for (const feed of this.feeds) if (events.length > 0) feed.publish(events);
  }

  feed(after: number): EventFeed {
    const feed = new EventFeed(
      {
        seq: () => this.published,
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the feed hands it on and looks at nothing in it
        snapshot: () => ({ seq: this.published }) as SessionSnapshot,
        read: async (from, limit) => {
          this.reads += 1;
          await Promise.resolve();
          return this.stored.slice(from, from + limit);
        },
      },
      after,
      () => this.feeds.delete(feed),
    );
    this.feeds.add(feed);
    return feed;
  }
}

type Move =
  | { readonly type: "append"; readonly count: number }
  | { readonly type: "publish" }
  | { readonly type: "pull"; readonly count: number };

const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("append" as const), count: fc.integer({ min: 1, max: 700 }) }),
    fc.record({ type: fc.constant("publish" as const) }),
    fc.record({ type: fc.constant("pull" as const), count: fc.integer({ min: 1, max: 400 }) }),
  ),
  { maxLength: 30 },
);

/** Pulls until this number has come. */
async function untilNumber(feed: EventFeed, numbers: number[], last: number): Promise<void> {
  while ((numbers.at(-1) ?? 0) < last) await pull(feed, numbers);
}

async function pull(feed: EventFeed, numbers: number[]): Promise<void> {
  const step = await feed.next();
  if (step.done !== true && step.value.type === "record") numbers.push(step.value.event.seq);
}

test("whatever is appended, published and pulled when, a client gets every number after its own once, in order", async () => {
  await fc.assert(
    fc.asyncProperty(moves, fc.nat(200), async (all, from) => {
      const session = new CountingSession();
      session.append(200);
      session.publish();
      const after = Math.min(from, 200);
      const feed = session.feed(after);
      const numbers: number[] = [];
      for (const move of all) {
        if (move.type === "append") session.append(move.count);
        else session.publish();
        const left = session.published - Math.max(after, numbers.at(-1) ?? after);
        const wanted = move.type === "pull" ? Math.min(move.count, left) : 0;
        for (let pulled = 0; pulled < wanted; pulled += 1) await pull(feed, numbers);
      }
      session.publish();
      if (session.stored.length > after) await untilNumber(feed, numbers, session.stored.length);
      expect(numbers).toEqual(session.stored.slice(after).map(({ seq }) => seq));
    }),
    { numRuns: runs(200) },
  );
});

test("a client that keeps up is served without a look into the journal", async () => {
  const session = new CountingSession();
  const feed = session.feed(0);
  expect((await feed.next()).value).toMatchObject({ type: "snapshot" });
  expect((await feed.next()).value).toEqual({ type: "live", seq: 0 });
  for (let number = 1; number <= 100; number += 1) {
    session.append(1);
    session.publish();
    expect((await feed.next()).value).toMatchObject({ type: "record", event: { seq: number } });
  }
  expect(session.reads).toBe(0);
});

test("what a client has taken does not count against it, however much it was", async () => {
  const session = new CountingSession();
  const feed = session.feed(0);
  const numbers: number[] = [];
  // The snapshot, and that it is level.
  for (let count = 0; count < 2; count += 1) await pull(feed, numbers);
  const text = "x".repeat(maxHandedOnCharacters / 4);
  for (let round = 1; round <= 12; round += 1) {
    session.append(2, text);
    session.publish();
    await untilNumber(feed, numbers, round * 2);
  }
  expect([numbers.length, session.reads]).toEqual([24, 0]);
});

test("what a client has not taken counts against it, also while it takes some", async () => {
  const session = new CountingSession();
  const feed = session.feed(0);
  const numbers: number[] = [];
  for (let count = 0; count < 2; count += 1) await pull(feed, numbers);
  const text = "x".repeat(maxHandedOnCharacters / 4);
  session.append(3, text);
  session.publish();
  await pull(feed, numbers);
  session.append(3, text);
  session.publish();
  await untilNumber(feed, numbers, 6);
  expect([numbers, session.reads > 0]).toEqual([[1, 2, 3, 4, 5, 6], true]);
});

test("giving it up ends a pull that waits", async () => {
  const session = new CountingSession();
  const feed = session.feed(0);
  await feed.next();
  await feed.next();
  const waiting = feed.next();
  await feed.return();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(session.feeds.size).toBe(0);
});

test("the end comes after everything that was published before it", async () => {
  const session = new CountingSession();
  const feed = session.feed(0);
  session.append(3);
  session.publish();
  feed.end("over");
  const frames: Frame[] = [];
  for await (const frame of feed) frames.push(frame);
  expect(frames.map(({ type }) => type)).toEqual(["snapshot", "record", "record", "record", "live", "closed"]);
});

/** Clients that read slowly, or not at all for a while, on a clock of the test: they end equal, and cost a bounded amount each. */
import {
  deltaScope,
  type JournalRecord,
  type SessionEvent,
  type SessionSnapshot,
  supersededScope,
  toStepId,
} from "@capstan/protocol";
import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { EventFeed } from "../src/feed/event-feed.ts";
import { maxHandedOnCharacters, maxPageCharacters } from "../src/limits.ts";

const kilobyte = 1024;
const megabyte = kilobyte * kilobyte;
/** How often something is published, and how often a client is looked at (ms). */
const stepMs = 25;

/** A session that says something all the time: what a later record supersedes is pruned with it, as in every store. */
class SpeakingSession {
  readonly feeds = new Set<EventFeed>();
  #kept: readonly SessionEvent[] = [];
  #seq = 0;

  get kept(): readonly SessionEvent[] {
    return this.#kept;
  }

  say(record: JournalRecord): void {
    this.#seq += 1;
    const event = { seq: this.#seq, at: 0, record };
    const scope = supersededScope(record);
    const before = scope === undefined ? this.#kept : this.#kept.filter((each) => deltaScope(each.record) !== scope);
    this.#kept = [...before, event];
    for (const feed of this.feeds) feed.publish([event]);
  }

  attach(): EventFeed {
    const feed = new EventFeed(
      {
        seq: () => this.#seq,
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the feed hands it on and looks at nothing in it
        snapshot: () => ({ seq: this.#seq }) as SessionSnapshot,
        read: async (from, limit) => this.#kept.filter(({ seq }) => seq > from).slice(0, limit),
      },
      0,
      () => this.feeds.delete(feed),
    );
    this.feeds.add(feed);
    return feed;
  }
}

/** A client with a budget of characters that grows with time. */
class SlowClient {
  readonly events: SessionEvent[] = [];
  readonly feed: EventFeed;
  mostHeld = 0;
  #budget = 0;
  #pulling: Promise<boolean> | undefined;

  constructor(feed: EventFeed) {
    this.feed = feed;
  }

  /** Reads for as long as its budget lasts. */
  async read(characters: number): Promise<void> {
    this.#budget = Math.min(this.#budget, 0) + characters;
    while (this.#budget > 0 && (await this.#pull()));
  }

  /** Notes what it costs now. */
  look(): void {
    this.mostHeld = Math.max(this.mostHeld, this.feed.heldCharacters);
  }

  /** @returns false while nothing is there to be read */
  async #pull(): Promise<boolean> {
    this.#pulling ??= this.#takeNext();
    const nothing = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
    return await Promise.race([this.#pulling, nothing]);
  }

  async #takeNext(): Promise<boolean> {
    const { value } = await this.feed.next();
    this.#pulling = undefined;
    this.look();
    if (value?.type === "record") {
      this.events.push(value.event);
      this.#budget -= JSON.stringify(value.event).length;
    }
    return true;
  }
}

interface Speech {
  readonly characters: number;
  readonly seconds: number;
  readonly results: number;
}

/** An answer of so much in so many seconds, and after it the results of its calls. */
function* recordsOf({ characters, seconds, results }: Speech): Generator<JournalRecord> {
  const stepId = toStepId("t1.s1");
  const pieces = (seconds * 1000) / stepMs;
  const delta = "x".repeat(Math.ceil(characters / pieces));
  for (let piece = 0; piece < pieces; piece += 1) yield { type: "text-delta", stepId, delta };
  yield { type: "step-abandoned", stepId, cause: "cancelled", text: delta.repeat(pieces) };
  for (let result = 0; result < results; result += 1)
    yield { type: "notice", level: "info", code: "x", text: "y".repeat(100 * kilobyte) };
}

/** What a client is to have in the end: the kept records, and of the others some. */
function checkView(client: SlowClient, session: SpeakingSession): void {
  const numbers = client.events.map(({ seq }) => seq);
  expect(numbers.filter((seq, at) => seq <= (numbers[at - 1] ?? 0))).toEqual([]);
  const kept = client.events.filter(({ record }) => deltaScope(record) === undefined);
  expect(kept).toEqual(session.kept);
}

test.each([
  ["64 KB a second", 64 * kilobyte, 0],
  ["1 KB a second", kilobyte, 0],
  ["nothing for ten seconds, then all", 100 * megabyte, 10_000],
])("a client that reads %s ends equal and costs less than 2 MB", async (_name, perSecond, silentMs) => {
  const session = new SpeakingSession();
  const client = new SlowClient(session.attach());
  let timeMs = 0;
  for (const record of recordsOf({ characters: 2_000_000, seconds: 12, results: 10 })) {
    session.say(record);
    client.look();
    timeMs += stepMs;
    if (timeMs > silentMs) await client.read((perSecond * stepMs) / 1000);
  }
  // However long it takes from here on: an hour at 1 KB a second.
  for (let second = 0; second < 2 * 3600 && client.events.at(-1)?.seq !== session.kept.at(-1)?.seq; second += 1)
    await client.read(perSecond);
  checkView(client, session);
  const largest = Math.max(...session.kept.map((event) => JSON.stringify(event).length));
  expect(client.mostHeld).toBeLessThan(Math.max(maxPageCharacters, maxHandedOnCharacters) + largest);
  expect(client.mostHeld).toBeLessThan(2 * megabyte);
  await client.feed.return();
});

test("what clients cost that read nothing depends on how many there are, and not on how much is said", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 40 }), async (count, results) => {
      const session = new SpeakingSession();
      const feeds = Array.from({ length: count }, () => session.attach());
      // Level, so that what is published is handed to them.
      for (const feed of feeds) for (let frame = 0; frame < 2; frame += 1) await feed.next();
      for (const record of recordsOf({ characters: 200 * kilobyte, seconds: 5, results })) session.say(record);
      const held = feeds.reduce((sum, feed) => sum + feed.heldCharacters, 0);
      expect(held).toBeLessThanOrEqual(count * (maxHandedOnCharacters + 101 * kilobyte));
      for (const feed of feeds) await feed.return();
      expect(session.feeds.size).toBe(0);
    }),
    { numRuns: runs(50) },
  );
});

import type { SessionEvent } from "@capstan/protocol";
import { opening } from "@capstan/testkit";
import { expect, test } from "vitest";
import { eventsInOrder } from "../src/events-in-order.ts";
import { FakeSession, numbered, turnEnded, turnStarted } from "./fake-session.ts";

/** A session in which something happens while its journal is read. */
class BusySession extends FakeSession {
  override async events(after: number): Promise<readonly SessionEvent[]> {
    const read = await super.events(after);
    this.say(turnEnded("done"));
    return read;
  }
}

test("what happens while the journal is caught up with is received once, after it", async () => {
  const past = numbered([...opening(), turnStarted()], 0);
  const session = new BusySession(() => undefined, past, past.length - 1);
  const received: string[] = [];
  const events = eventsInOrder(session, ({ seq, record }) => received.push(`${seq} ${record.type}`));
  await events.caughtUp;
  session.say(turnStarted());
  events.stop();
  session.say(turnEnded("done"));
  expect(received).toEqual([
    `${past.length} turn-started`,
    `${past.length + 1} turn-ended`,
    `${past.length + 2} turn-started`,
  ]);
});

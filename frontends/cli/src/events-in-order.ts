import type { SessionHandle, SessionEvent } from "@capstan/protocol";

export interface EventsInOrder {
  /** Resolves when everything that happened before anyone listened has been received. */
  readonly caughtUp: Promise<void>;
  stop(): void;
}

/**
 * Passes on every event since the session was opened, once and in order. What an earlier process left is settled while the session
 * opens, before anyone can listen: those events come from the journal, and first.
 */
export function eventsInOrder(session: SessionHandle, receive: (event: SessionEvent) => void): EventsInOrder {
  const early: SessionEvent[] = [];
  let last = session.openedAfter;
  let isCaughtUp = session.snapshot().seq === last;
  const take = (event: SessionEvent): void => {
    if (event.seq <= last) return;
    last = event.seq;
    receive(event);
  };
  const stop = session.subscribe((event) => {
    if (isCaughtUp) take(event);
    else early.push(event);
  });
  const catchUp = async (): Promise<void> => {
    if (isCaughtUp) return;
    for (const event of await session.events(session.openedAfter)) take(event);
    for (const event of early) take(event);
    isCaughtUp = true;
  };
  return { caughtUp: catchUp(), stop };
}

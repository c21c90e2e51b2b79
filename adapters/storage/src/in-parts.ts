import { eventsReadAtOnce } from "./limits.ts";

/**
 * Events one after another, of which a part is in memory at a time: a long session is never held whole.
 * @param read  those with a greater number, at most about so many
 */
export async function* inParts<Event extends { readonly seq: number }>(
  read: (after: number, limit: number) => Promise<readonly Event[]>,
): AsyncGenerator<Event> {
  let last = 0;
  for (;;) {
    const events = await read(last, eventsReadAtOnce);
    const end = events.at(-1);
    if (end === undefined) return;
    yield* events;
    last = end.seq;
  }
}

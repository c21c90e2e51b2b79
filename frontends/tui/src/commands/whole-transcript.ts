import type { SessionEvent } from "@capstan/protocol";
import { type Cell, cellsFrom, emptyTranscript, reduce } from "@capstan/view";
import type { FollowedSession } from "../run/followed-session.ts";

const pageEvents = 2000;
/** Far more than anybody reads at once; older events are in an export. */
const mostEvents = 200_000;

/** All cells of a session: those on the screen where it began there, else from the journal. */
export async function wholeTranscript({ client, transcript, hasEarlier }: FollowedSession): Promise<readonly Cell[]> {
  if (!hasEarlier) return [...cellsFrom(transcript)];
  let events: readonly SessionEvent[] = [];
  let before: number | null = null;
  do {
    const page = await client.history(before, pageEvents);
    events = [...page.events, ...events];
    before = page.before;
  } while (before !== null && events.length < mostEvents);
  return [...cellsFrom(events.reduce(reduce, emptyTranscript))];
}

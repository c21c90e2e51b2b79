import type { HistoryPage, SessionEvent } from "@capstan/protocol";
import { type Cell, cellsFrom, emptyTranscript, reduce } from "@capstan/view";
import type { FollowedSession } from "../run/followed-session.ts";

const pageEvents = 2000;
/** Far more than anybody reads at once; older events are in an export. */
const mostEvents = 200_000;

/** All cells of a session: those on the screen where it began there, else from the journal. */
export async function wholeTranscript(session: FollowedSession): Promise<readonly Cell[]> {
  if (!session.hasEarlier) return [...cellsFrom(session.transcript)];
  const { events } = await allEvents(session);
  return [...cellsFrom(events.reduce(reduce, emptyTranscript))];
}

/** What the journal holds, oldest first. `hasMore`: older events were left out. */
export async function allEvents({
  client,
}: FollowedSession): Promise<{ readonly events: readonly SessionEvent[]; readonly hasMore: boolean }> {
  const pages: HistoryPage[] = [];
  let count = 0;
  let before: number | null = null;
  do {
    const page: HistoryPage = await client.history(before, pageEvents);
    pages.push(page);
    count += page.events.length;
    before = page.before;
  } while (before !== null && count < mostEvents);
  return { events: pages.toReversed().flatMap(({ events }) => events), hasMore: before !== null };
}

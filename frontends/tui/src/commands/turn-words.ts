import type { HistoryPage, TurnId, UserContent } from "@capstan/protocol";
import type { Chat } from "../run/chat.ts";
import { textOf } from "../run/sending.ts";

const pageEvents = 2000;

/** What each of these turns began with, also of those that the screen does not show: their history is asked for, page by page. */
export async function turnWords({ session }: Chat, turns: readonly TurnId[]): Promise<ReadonlyMap<TurnId, string>> {
  const words = new Map<TurnId, string>();
  const missing = new Set(turns);
  let before: number | null = null;
  do {
    const page: HistoryPage = await session.client.history(before, pageEvents);
    for (const { record } of page.events)
      if (record.type === "turn-started" && missing.delete(record.turnId))
        words.set(record.turnId, textOf(record.content));
    before = page.before;
  } while (before !== null && missing.size > 0);
  return words;
}

/** The last words that a user said to the model, with what was attached to them; `null`: there are none. */
export async function lastWords({ session }: Chat): Promise<readonly UserContent[] | null> {
  let before: number | null = null;
  do {
    const page: HistoryPage = await session.client.history(before, pageEvents);
    for (const { record } of page.events.toReversed())
      if (record.type === "turn-started" && record.call === undefined && record.plan === undefined)
        return record.content;
    before = page.before;
  } while (before !== null);
  return null;
}

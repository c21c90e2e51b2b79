import type { Message } from "@capstan/protocol";
import { messageTokens } from "./estimate-tokens.ts";
import { messagesKeptByCompaction, shorterResults } from "./limits.ts";
import { withShortResults } from "./shorten-results.ts";

const shortest = Math.min(...shorterResults);

/** How far a summary must reach, and how far it may. */
export interface CutBounds {
  /** Messages that a summary stands for already. */
  readonly already: number;
  /** Guessed tokens that the messages behind the cut may have. */
  readonly room: number;
  /** Guessed tokens that the messages before the cut may have, with their results cut short, so that whoever summarises can read them. */
  readonly readable: number;
}

/**
 * Chooses how many of the first messages a summary stands for: as few as leave those behind them room, and up to where a user speaks if that
 * is not far. No call is parted from its result, and the last messages stay.
 * @returns 0 where nothing can be summarised
 */
export function chooseCut(messages: readonly Message[], { already, room, readable }: CutBounds): number {
  const places = placesToCut(messages, already);
  const read = places.filter(({ before }) => before <= readable);
  // A first stretch that is longer than can be read is cut all the same: whoever summarises is shown it shortened.
  const possible = read.length === 0 ? places.slice(0, 1) : read;
  const enough = possible.filter(({ behind }) => behind <= room);
  const turn = enough.find(({ count, behind }) => behind >= room / 2 && isUsersWord(messages[count]));
  return (turn ?? enough[0] ?? possible.at(-1))?.count ?? 0;
}

/**
 * Where a conversation is longer than whoever summarises can read at once: how many of its first messages are left out by rules, so that the
 * rest of what has to go can be read. An imported session of thousands of turns takes one model call, and not one for each windowful.
 * @returns 0 where all of it can be read
 */
export function chooseRuleCut(messages: readonly Message[], bounds: CutBounds): number {
  const wanted = chooseCut(messages, { ...bounds, readable: Infinity });
  const places = placesToCut(messages, bounds.already);
  const end = places.find(({ count }) => count === wanted);
  if (end === undefined || end.before <= bounds.readable) return 0;
  return places.find(({ before }) => end.before - before <= bounds.readable)?.count ?? 0;
}

interface Place {
  readonly count: number;
  /** Guessed tokens of what no summary stands for yet: on this side with results cut short, */
  readonly before: number;
  /** and on the other as it is. */
  readonly behind: number;
}

function placesToCut(messages: readonly Message[], already: number): readonly Place[] {
  const left = messages.slice(already);
  let behind = left.reduce((sum, message) => sum + messageTokens(message), 0);
  let before = 0;
  return left.flatMap((message, index) => {
    before += messageTokens(withShortResults(message, shortest));
    behind -= messageTokens(message);
    const count = already + index + 1;
    if (count > messages.length - messagesKeptByCompaction || !canCut(messages, count)) return [];
    return [{ count, before, behind }];
  });
}

/** A cut is before words of a user, or before an answer to one: the calls before it have their results there. */
function canCut(messages: readonly Message[], count: number): boolean {
  const next = messages[count];
  return isUsersWord(next) || (next?.role === "assistant" && messages[count - 1]?.role === "user");
}

function isUsersWord(message: Message | undefined): boolean {
  return message?.role === "user" && message.content.every((block) => block.type !== "tool-result");
}

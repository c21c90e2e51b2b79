import type { Message } from "@capstan/protocol";
import { messageTokens } from "./estimate-tokens.ts";
import { messagesKeptByCompaction } from "./limits.ts";

/** How far a summary must reach, and how far it may. */
export interface CutBounds {
  /** Messages that a summary stands for already. */
  readonly already: number;
  /** Guessed tokens that the messages behind the cut may have. */
  readonly room: number;
  /** Guessed tokens that the messages before the cut may have, so that whoever summarises can read them. */
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

interface Place {
  readonly count: number;
  /** Guessed tokens on either side, of what no summary stands for yet. */
  readonly before: number;
  readonly behind: number;
}

function placesToCut(messages: readonly Message[], already: number): readonly Place[] {
  const sizes = messages.slice(already).map(messageTokens);
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  return sizes.flatMap((size, index) => {
    before += size;
    const count = already + index + 1;
    if (count > messages.length - messagesKeptByCompaction || !canCut(messages, count)) return [];
    return [{ count, before, behind: whole - before }];
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

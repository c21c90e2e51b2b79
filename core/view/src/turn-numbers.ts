import type { JournalRecord, SessionEvent, TurnId } from "@capstan/protocol";

/**
 * The numbers, from 1, by which turns can be named now: of those that are part of the conversation. Turns that left no trace
 * or were taken back have none.
 */
export function turnNumbers(events: readonly SessionEvent[]): ReadonlyMap<TurnId, number> {
  let turns: readonly TurnId[] = [];
  let rewinding: Extract<JournalRecord, { type: "rewind-started" }> | undefined;
  const before: (readonly TurnId[])[] = [];
  for (const { record } of events) {
    if (record.type === "turn-started") {
      turns = [...turns, record.turnId];
      before.length = 0;
    }
    if (record.type === "turn-ended" && record.rolledBack) turns = turns.filter((turnId) => turnId !== record.turnId);
    if (record.type === "rewind-started") rewinding = record;
    if (record.type !== "rewind-finished" || rewinding === undefined) continue;
    if (rewinding.direction === "forth") {
      turns = before.pop() ?? turns;
      continue;
    }
    before.push(turns);
    if (rewinding.conversation) turns = turns.slice(0, rewinding.keepTurns);
  }
  return new Map(turns.map((turnId, at) => [turnId, at + 1]));
}

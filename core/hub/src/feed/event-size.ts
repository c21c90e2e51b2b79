import { deltaScope, type SessionEvent } from "@capstan/protocol";

/** Of records that are no pieces: each is measured once, however many clients there are. */
const measured = new WeakMap<SessionEvent, number>();

/** About as many characters as an event's text has: cheap for pieces, exact enough for the rest. */
export function charactersOf(event: SessionEvent): number {
  const { record } = event;
  if (deltaScope(record) !== undefined && "delta" in record) return record.delta.length;
  const characters = measured.get(event) ?? JSON.stringify(record).length;
  measured.set(event, characters);
  return characters;
}

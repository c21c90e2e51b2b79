import type { TurnId } from "@capstan/protocol";

/** The ids of a list, for as long as it is held: a session has tens of thousands, and each submission is looked up. */
const sets = new WeakMap<readonly TurnId[], { readonly ids: Set<TurnId>; counted: number }>();

/** Whether a turn or an input of this id was ever taken. */
export function isKnownTurn(turnIds: readonly TurnId[], turnId: TurnId): boolean {
  const known = sets.get(turnIds) ?? { ids: new Set<TurnId>(), counted: 0 };
  // A list may have grown since.
  for (; known.counted < turnIds.length; known.counted += 1) {
    const id = turnIds[known.counted];
    if (id !== undefined) known.ids.add(id);
  }
  sets.set(turnIds, known);
  return known.ids.has(turnId);
}

/**
 * A list with one item more. `concat` and not a spread, which takes three times as long for long lists: a session's conversation
 * is copied with every message.
 */
export function appended<Item>(items: readonly Item[], item: Item): readonly Item[] {
  return items.concat([item]);
}

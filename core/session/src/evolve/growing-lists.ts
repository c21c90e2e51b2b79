/**
 * The long lists of a state: its conversation, its turns and their ids. A list never changes, so each record that adds to one copies it;
 * a journal that is folded from its beginning would copy it thousands of times. During a fold nobody but the fold holds the state between
 * two records, so that the lists which the fold itself made grow in place: folding takes linear time.
 */
let own: WeakMap<readonly unknown[], unknown[]> | null = null;

/** Runs a fold in which lists that it makes grow in place. Nothing else may hold the states in between. */
export function growingInPlace<Result>(lists: WeakMap<readonly unknown[], unknown[]>, fold: () => Result): Result {
  const outer = own;
  own = lists;
  try {
    return fold();
  } finally {
    own = outer;
  }
}

/** A list with one item more. `concat` and not a spread, which takes three times as long for long lists. */
export function appended<Item>(items: readonly Item[], item: Item): readonly Item[] {
  const owned = own?.get(items);
  if (owned !== undefined) {
    owned.push(item);
    return items;
  }
  return made(items.concat([item]));
}

/** A list with another item at a place. */
export function replaced<Item>(items: readonly Item[], at: number, item: Item): readonly Item[] {
  const owned = own?.get(items);
  if (owned !== undefined) {
    owned[at] = item;
    return items;
  }
  return made(items.with(at, item));
}

/** A list that something else than the newest state will hold, too: from here on it is never changed. */
export function shared<Item>(items: readonly Item[]): readonly Item[] {
  own?.delete(items);
  return items;
}

function made<Item>(items: Item[]): readonly Item[] {
  own?.set(items, items);
  return items;
}

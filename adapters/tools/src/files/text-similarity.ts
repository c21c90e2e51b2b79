/**
 * Measures how alike other short texts are to this one, 0 to 1: shared pairs of neighbouring characters (Dice). Linear in
 * the other text's length.
 */
export function similarityTo(text: string): (other: string) => number {
  const pairs = countPairs(text);
  return (other) => {
    if (other === text) return 1;
    const total = Math.max(text.length - 1, 0) + Math.max(other.length - 1, 0);
    return total === 0 ? 0 : (2 * sharedPairs(pairs, other)) / total;
  };
}

function countPairs(text: string): ReadonlyMap<string, number> {
  const pairs = new Map<string, number>();
  for (let index = 0; index < text.length - 1; index += 1) {
    const pair = text.slice(index, index + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

function sharedPairs(pairs: ReadonlyMap<string, number>, other: string): number {
  const used = new Map<string, number>();
  let shared = 0;
  for (let index = 0; index < other.length - 1; index += 1) {
    const pair = other.slice(index, index + 2);
    const available = pairs.get(pair);
    if (available === undefined) continue;
    const count = used.get(pair) ?? 0;
    if (count < available) shared += 1;
    used.set(pair, count + 1);
  }
  return shared;
}

/** The candidate a user most likely meant; `undefined` when none is near. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(Math.min(name.length, maxNameLength) / 3));
  const lower = name.toLowerCase();
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    // Few slip on the first letter: of names that are equally near, one that begins as what was typed is meant.
    const begins = candidate.charAt(0).toLowerCase() === lower.charAt(0);
    const distance = editDistance(lower, candidate.toLowerCase()) - (begins ? beginningWorth : 0);
    if (Math.ceil(distance) <= limit && (best === undefined || distance < best.distance))
      best = { candidate, distance };
  }
  return best?.candidate;
}

/** Less than any edit. */
const beginningWorth = 0.5;

/** The end of a message about an unknown name. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? "" : `; did you mean ${nearest}?`;
}

// Names longer than this are no slips of ours, and comparing costs the product of the lengths.
const maxNameLength = 64;

/** Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other. */
function editDistance(left: string, right: string): number {
  if (left.length > maxNameLength) return left.length;
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (same ? 0 : 1),
          swapped ? at(beforeLast, column - 2) + 1 : Infinity,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, right.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}

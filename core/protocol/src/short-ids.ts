/** A beginning that is shorter is easily typed for another. */
const minShortCharacters = 4;
/** Of those that fit what was typed, so many are named. */
const namedCandidates = 5;

/** For each id the shortest beginning that no other of them has. */
export function shortIds<Id extends string>(ids: readonly Id[]): ReadonlyMap<Id, string> {
  const sorted = [...new Set(ids)].toSorted();
  return new Map(
    sorted.map((id, at) => {
      const shared = Math.max(sharedCharacters(id, sorted[at - 1] ?? ""), sharedCharacters(id, sorted[at + 1] ?? ""));
      return [id, id.slice(0, Math.max(minShortCharacters, shared + 1))];
    }),
  );
}

function sharedCharacters(left: string, right: string): number {
  let count = 0;
  while (count < left.length && left[count] === right[count]) count += 1;
  return count;
}

/** Something that has an id and fits what was typed. `about`: what it is, inert and short; empty: nothing is known. */
export interface Candidate {
  readonly id: string;
  readonly about: string;
}

/** The candidates with the ids to type, as the end of a sentence: `k3f9 (fix the build), m2 (add tests)`. */
export function candidatesText(candidates: readonly Candidate[]): string {
  const short = shortIds(candidates.map(({ id }) => id));
  const named = candidates
    .slice(0, namedCandidates)
    .map(({ id, about }) => `${short.get(id) ?? id}${about === "" ? "" : ` (${about})`}`);
  const more = candidates.length - named.length;
  return named.join(", ") + (more === 0 ? "" : `, and ${more} more`);
}

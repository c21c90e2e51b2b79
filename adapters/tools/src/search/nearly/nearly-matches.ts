/** Finds words in lines that hold them nearly. */
export interface NearlyMatcher {
  /** @returns the UTF-16 units before the best place of the line, or `undefined` where there is none with few enough errors */
  find(line: string): number | undefined;
}

/**
 * Words of at most 31 UTF-16 units, with so many letters wrong, missing or too many (Wu and Manber's automaton: a bit for each letter that was read, a word of
 * bits for each number of errors). The work is the length of the line times the errors, whatever the words are.
 */
export function nearlyMatcher(words: string, errors: number, isCaseSensitive: boolean): NearlyMatcher {
  const fold = (text: string): string => (isCaseSensitive ? text : foldCase(text));
  const letters = fold(words);
  const places = new Map<string, number>();
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters.charAt(at);
    places.set(letter, (places.get(letter) ?? 0) | (1 << at));
  }
  const last = 1 << (letters.length - 1);
  return {
    find: (line) => {
      const text = fold(line);
      const states = Array.from({ length: errors + 1 }, (_, count) => (1 << count) - 1);
      let best: { readonly errors: number; readonly end: number } | undefined;
      for (let at = 0; at < text.length; at += 1) {
        step(states, places.get(text.charAt(at)) ?? 0);
        const count = states.findIndex((state) => (state & last) !== 0);
        if (count !== -1 && (best === undefined || count < best.errors)) best = { errors: count, end: at + 1 };
        if (best?.errors === 0) break;
      }
      return best === undefined ? undefined : Math.max(0, best.end - letters.length);
    },
  };
}

/** One letter of the text: in each state it fits, takes the place of another, is one too many, or one before it is missing. */
function step(states: number[], fits: number): void {
  let before = 0;
  for (let count = 0; count < states.length; count += 1) {
    const old = states[count] ?? 0;
    const moved = ((old << 1) | 1) & fits;
    const withError = count === 0 ? 0 : before | (before << 1) | ((states[count - 1] ?? 0) << 1) | 1;
    states[count] = moved | withError;
    before = old;
  }
}

/** Letter by letter, so that places stay what they are. */
function foldCase(text: string): string {
  const folded = text.toLowerCase();
  return folded.length === text.length ? folded : text;
}

/** What a letter counts for by its place in the path. */
const points = { letter: 1, inName: 2, atBegin: 8, behindLast: 6, exactName: 40, nameBegins: 20 } as const;

interface Ranked {
  readonly path: string;
  readonly score: number;
}

/**
 * The paths that have the letters of `text` in this order, whatever their case, the best first: letters in the file's name, at the beginning
 * of words and next to one another count more; of two that are as good the shorter comes first. Without letters: the shortest.
 */
export function rankPaths(paths: readonly string[], text: string): readonly string[] {
  const sought = text.toLowerCase().replaceAll(/\s/g, "");
  const ranked = paths.flatMap((path): readonly Ranked[] => {
    const score = scoreOf(path, sought);
    return score === undefined ? [] : [{ path, score }];
  });
  return ranked
    .toSorted(
      (one, other) =>
        other.score - one.score || one.path.length - other.path.length || (one.path < other.path ? -1 : 1),
    )
    .map(({ path }) => path);
}

/** Letters are looked for from the end, so that the file's name comes before its folders. @returns `undefined` when one is missing */
function scoreOf(path: string, sought: string): number | undefined {
  const lower = path.toLowerCase();
  const nameAt = lower.lastIndexOf("/") + 1;
  const whole = lower.lastIndexOf(sought);
  let score = whole === -1 ? 0 : sought.length * points.behindLast;
  let at = whole === -1 ? lower.length : whole + sought.length;
  for (let index = sought.length - 1; index >= 0; index -= 1) {
    const before = at;
    at = lower.lastIndexOf(sought.charAt(index), at - 1);
    if (at === -1 || before === 0) return undefined;
    score += points.letter + (at >= nameAt ? points.inName : 0) + (isBegin(path, at) ? points.atBegin : 0);
    if (before === at + 1 && index < sought.length - 1) score += points.behindLast;
  }
  const name = lower.slice(nameAt);
  if (sought !== "" && name.startsWith(sought)) score += name === sought ? points.exactName : points.nameBegins;
  return score;
}

/** The first letter of a word: behind a sign, or a capital behind a small letter. */
function isBegin(path: string, at: number): boolean {
  const before = path.charAt(at - 1);
  return at === 0 || /[^A-Za-z0-9]/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(path.charAt(at)));
}

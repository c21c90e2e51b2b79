/**
 * Every place where `find` occurs as consecutive lines, compared exactly; overlapping places count.
 * Linear in both (Knuth, Morris, Pratt): a patch of blank lines against a file of blank lines must not take minutes.
 * @param find  at least one line
 * @returns 0-based line indexes, ascending
 */
export function findMatches(lines: readonly string[], find: readonly string[]): readonly number[] {
  const borders = bordersOf(find);
  const matches: number[] = [];
  let matched = 0;
  for (const [index, line] of lines.entries()) {
    while (matched > 0 && find[matched] !== line) matched = borders[matched - 1] ?? 0;
    if (find[matched] === line) matched += 1;
    if (matched === find.length) {
      matches.push(index - find.length + 1);
      matched = borders[matched - 1] ?? 0;
    }
  }
  return matches;
}

/**
 * The first place at or below `from` where `find` occurs as consecutive lines; as bounded as `findMatches`.
 * @param find  at least one line
 */
export function findFirstMatch(lines: readonly string[], find: readonly string[], from: number): number | undefined {
  const borders = bordersOf(find);
  let matched = 0;
  for (let index = from; index < lines.length; index += 1) {
    while (matched > 0 && find[matched] !== lines[index]) matched = borders[matched - 1] ?? 0;
    if (find[matched] === lines[index]) matched += 1;
    if (matched === find.length) return index - find.length + 1;
  }
  return undefined;
}

/** For each prefix of `find`: the length of its longest proper prefix that is also its suffix. */
function bordersOf(find: readonly string[]): readonly number[] {
  const borders: number[] = [0];
  let border = 0;
  for (const line of find.slice(1)) {
    while (border > 0 && find[border] !== line) border = borders[border - 1] ?? 0;
    if (find[border] === line) border += 1;
    borders.push(border);
  }
  return borders;
}

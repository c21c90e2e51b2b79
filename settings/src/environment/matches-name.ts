/**
 * Makes the test whether a variable's name fits one of the patterns; `*` stands for any characters, and case does not matter.
 */
export function nameMatcher(patterns: readonly string[]): (name: string) => boolean {
  const split = patterns.map((pattern) => pattern.toUpperCase().split("*"));
  return (name) => {
    const upper = name.toUpperCase();
    return split.some((pieces) => fits(upper, pieces));
  };
}

/** The pieces between the stars must occur in order, the first at the beginning and the last at the end. */
function fits(name: string, pieces: readonly string[]): boolean {
  const first = pieces[0] ?? "";
  if (pieces.length === 1) return name === first;
  const last = pieces.at(-1) ?? "";
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let from = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, from);
    if (found === -1) return false;
    from = found + piece.length;
  }
  return from + last.length <= name.length;
}

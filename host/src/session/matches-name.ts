/** Whether a variable's name fits one of the patterns; `*` stands for any characters, and case does not matter. */
export function matchesName(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => fits(name.toUpperCase(), pattern.toUpperCase().split("*")));
}

/** The pieces between the stars must occur in order, the first at the beginning and the last at the end. */
function fits(name: string, [first = "", ...others]: readonly string[]): boolean {
  const last = others.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let from = first.length;
  for (const piece of others) {
    const found = name.indexOf(piece, from);
    if (found === -1) return false;
    from = found + piece.length;
  }
  return from + last.length <= name.length;
}

export interface LineCounts {
  readonly addedLines: number;
  readonly removedLines: number;
}

/** Counts the lines that only one of the texts has, without regard to their order: linear, and never more than the true counts. */
export function countLines(before: string, after: string): LineCounts {
  const surplus = new Map<string, number>();
  for (const line of linesOf(after)) surplus.set(line, (surplus.get(line) ?? 0) + 1);
  for (const line of linesOf(before)) surplus.set(line, (surplus.get(line) ?? 0) - 1);
  let addedLines = 0;
  let removedLines = 0;
  for (const count of surplus.values()) {
    if (count > 0) addedLines += count;
    else removedLines -= count;
  }
  return { addedLines, removedLines };
}

/** Lines without their ends; the end of the last line does not begin another. */
function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

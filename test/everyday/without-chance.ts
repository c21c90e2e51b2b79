/** A line without what differs from one run to the next: ids, times, sizes of what was compressed, names by chance. */
export function withoutChance(line: string): string {
  return line
    .replaceAll(/\bg?[0-9a-f]{7,40}\b/g, "<id>")
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?: ?[+-]\d{4}|Z)?/g, "<time>")
    .replaceAll(/[A-Z][a-z]{2} [A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d \d{4} [+-]\d{4}/g, "<time>")
    .replaceAll(/[A-Z][a-z]{2}, \d+ [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, "<time>")
    .replaceAll(/\b\d+(?:\.\d+)? ?(?:ms|s|seconds?)\b/g, "<time>")
    .replaceAll(/duration_ms \d+(?:\.\d+)?/g, "duration_ms <time>")
    .trimEnd();
}

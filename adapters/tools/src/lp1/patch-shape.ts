/** The smallest patch that shows the form; part of errors, so that a model can fix its call. */
export const patchShape: string = [
  "An LP1 patch looks like this:",
  "LP1",
  "F path/to/file",
  "R",
  "old line",
  ".",
  "new line",
  ".",
  "END",
].join("\n");

/** Names the format when a text begins like another patch format; `undefined` when it does not. */
export function foreignFormatOf(firstLine: string): string | undefined {
  const line = firstLine.trimStart();
  if (/^(diff --git |--- |\+\+\+ |@@ |Index: )/.test(line)) return "This is a unified diff; this tool expects LP1.";
  if (/^<{5,} ?(SEARCH|ORIGINAL)?/.test(line)) return "These are search/replace markers; this tool expects LP1.";
  return undefined;
}

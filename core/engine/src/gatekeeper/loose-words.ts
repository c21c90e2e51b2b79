/**
 * The words in a text that was not understood, as far as a wide net can tell: quotes and backslashes are dropped as a shell
 * would, and whatever separates commands or words separates here. For deny and ask rules only: it finds too much rather than
 * too little. Linear.
 * @returns words joined by NUL, in two readings one after the other: cut at shell syntax, and cut at every punctuation too
 */
export function looseWords(text: string): string {
  const coarse = coarseWords(text);
  const fine = cutAt(coarse, /[\0,=[\]!#:@*?^~+%]+/g);
  return coarse === fine ? coarse : `${coarse}${fine}`;
}

/** The first of the two readings. */
export function coarseWords(text: string): string {
  return cutAt(text.replace(/\\\r?\n|["'\\]/g, ""), /[\s\0;&|<>(){}$`]+/g);
}

function cutAt(text: string, separators: RegExp): string {
  const joined = text.replace(separators, "\0");
  return `${joined.startsWith("\0") ? "" : "\0"}${joined}${joined.endsWith("\0") ? "" : "\0"}`;
}

/** `1 line`, `12 lines`; for words that take a plain s. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

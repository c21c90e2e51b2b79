/** How many characters at the end of a text may be the beginning of a word. */
export function partialStart(text: string, word: string): number {
  for (let size = Math.min(text.length, word.length - 1); size > 0; size -= 1) {
    if (word.startsWith(text.slice(text.length - size))) return size;
  }
  return 0;
}

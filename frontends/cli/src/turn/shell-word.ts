/** A word of a command line to paste: a shell takes it as it is, and runs nothing in it. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

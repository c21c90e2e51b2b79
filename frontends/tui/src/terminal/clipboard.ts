/** What terminals take of a text for their clipboard, in UTF-8. Some drop what is longer, and say nothing. */
export const maxCopiedBytes: number = 100 * 1024;

/** The sequence that puts a text on the clipboard of the machine where the terminal is (OSC 52), also over ssh. */
export function copySequence(text: string): string {
  return `\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`;
}

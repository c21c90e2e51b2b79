/** One line of valid JSON: half characters are replaced, and nothing in it ends the line for any reader. */
export function jsonLine(value: object): string {
  const text = JSON.stringify(value, (_, item: unknown) => (typeof item === "string" ? item.toWellFormed() : item));
  // JSON may hold them as they are, but many readers of lines (Python's among them) end a line there.
  return text.replaceAll(/[\u0085\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

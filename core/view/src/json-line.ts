// JSON may hold them as they are, but many readers of lines (Python's among them) end a line at some, and terminals obey others:
// C1 controls, marks of direction.
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const alive = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

/** One line of valid JSON: half characters are replaced, and nothing in it ends the line for any reader or moves a terminal. */
export function jsonLine(value: object): string {
  const text = JSON.stringify(value, (_, item: unknown) => (typeof item === "string" ? item.toWellFormed() : item));
  return text.replaceAll(alive, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

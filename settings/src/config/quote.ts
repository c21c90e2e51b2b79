import { maxQuotedCharacters } from "./config-limits.ts";

/** Text from a file, safe on a terminal: quoted, shortened, control and direction characters escaped. */
export function quote(text: string): string {
  const short = text.length > maxQuotedCharacters ? `${text.slice(0, maxQuotedCharacters)}…` : text;
  return escapeUnsafe(JSON.stringify(short));
}

/** A file's name, safe on a terminal and otherwise as it is: people copy it from messages. */
export function quotePath(path: string): string {
  return escapeUnsafe(path);
}

/** A name from a file: as it is when it is harmless, else quoted. */
export function quoteName(text: string): string {
  return /^[\w."'/:@ *-]{1,80}$/.test(text) ? text : quote(text);
}

function escapeUnsafe(text: string): string {
  return text.replace(unsafeCharacters, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

// Controls (C0, DEL, C1), line separators, zero-width characters and direction marks.
const unsafeCharacters =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

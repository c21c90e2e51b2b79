import { maxShownPath } from "../limits.ts";

/** A path as it may stand in a message: quoted, nothing in it that a terminal obeys, not endless. */
export function shownPath(path: string): string {
  const cut = path.length > maxShownPath ? `${path.slice(0, maxShownPath)}…` : path;
  // JSON leaves some of what terminals and readers obey as it is.
  return JSON.stringify(cut).replace(/[\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

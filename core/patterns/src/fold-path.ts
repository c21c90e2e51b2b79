/**
 * How the most lenient file systems see a path: without the case of letters, Unicode forms, invisible characters, and the dots, spaces and
 * data streams at the end of a name. Two paths that any of them takes for one are folded alike.
 */
export function foldPath(path: string): string {
  return path.split("/").map(foldName).join("/");
}

/** Letters without their case, form and invisible companions. */
export function foldLetters(text: string): string {
  // oxlint-disable-next-line no-control-regex -- that is what ASCII is
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  const upper = text.normalize("NFKD").replaceAll(invisible, "").toLowerCase().toUpperCase();
  // One by one: as a whole, a sigma at the end of a word would become another letter.
  const lower = Array.from(upper, (character) => character.toLowerCase()).join("");
  return lower.normalize("NFKC");
}

/** HFS+ ignores them in names. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

function foldName(name: string): string {
  return foldLetters(name)
    .replace(/(?<=.):.*$/s, "")
    .replace(/(?<=[^. ])[. ]+$/, "");
}

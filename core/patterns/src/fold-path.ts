/**
 * How the most lenient file systems see a path: without the case of letters, Unicode forms, invisible characters, and the dots, spaces and
 * data streams at the end of a name. Two paths that any of them takes for one are folded alike.
 */
export function foldPath(path: string): string {
  return isPlainPath(path) ? path.toLowerCase() : path.split("/").map(foldName).join("/");
}

/** Whether such a file system sees nothing in it but the case of its letters: so it is with nearly every path. */
export function isPlainPath(path: string): boolean {
  return isAscii.test(path) && !droppedSigns.test(path);
}

/** Letters without their case, form and invisible companions. */
export function foldLetters(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  const upper = text.normalize("NFKD").replaceAll(invisible, "").toLowerCase().toUpperCase();
  // One by one: as a whole, a sigma at the end of a word would become another letter.
  const lower = Array.from(upper, (character) => character.toLowerCase()).join("");
  return lower.normalize("NFKC");
}

// oxlint-disable-next-line no-control-regex -- that is what ASCII is
const isAscii = /^[\0-\x7f]*$/;

/** Where `foldName` may leave something out. */
const droppedSigns = /:|[. ](?:\/|$)/;

/** HFS+ ignores them in names. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

function foldName(name: string): string {
  return foldLetters(name)
    .replace(/(?<=.):.*$/s, "")
    .replace(/(?<=[^. ])[. ]+$/, "");
}

/** ESC sequences (CSI, OSC, DCS, SOS, PM, APC, two-character ones) and their 8-bit forms. An escape ends an open string, as in terminals. */
export const escapeSequences: RegExp =
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|(?=\u001b)|$)|\u001b[ -/]*[0-~]?/g;
/** Controls that move or hide text: C0 but newline and tab, DEL, C1, and the bidirectional controls. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * What is not seen and no script needs: zero-width spaces, soft hyphens, word joiners, interlinear marks, tags, line and
 * paragraph separators, fillers, the rarer variation selectors. Joiners of scripts and of emoji stay.
 */
const invisible =
  /[\u00ad\u115f\u1160\u200b\u2028\u2029\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]|\u034f|\u17b4|\u17b5|[\u180b-\u180f]/gu;
/** Marks on one letter beyond these are a flood. */
const tooManyMarks = /(\p{M}{8})\p{M}+/gu;
/** A line that is cut to its limit is looked at up to so many times that: escapes take room and show nothing. */
const examinedTimes = 16;

/** Most of what is written: nothing of it is ever taken out. Looked at first, for this is asked of every word that is shown. */
const harmless =
  /^[\t\n -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u259f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/;

/** Untrusted text made safe for a terminal: it can show characters, and do nothing else. */
export function inertText(text: string): string {
  if (harmless.test(text)) return text;
  return text
    .replace(escapeSequences, "")
    .replaceAll("\r\n", "\n")
    .replace(controls, "")
    .replace(invisible, "")
    .replace(tooManyMarks, "$1");
}

/** Untrusted text as one line, cut in the middle of nowhere only at the end, with a mark. */
export function inertLine(text: string, limitCharacters: number): string {
  const examined = text.trimStart().slice(0, limitCharacters * examinedTimes);
  const line = inertText(examined)
    .trim()
    .replaceAll(/[^\S\n]*\n\s*/g, " ⏎ ");
  return line.length > limitCharacters || examined.length < text.trim().length
    ? `${line.slice(0, limitCharacters - 1).toWellFormed()}…`
    : line;
}

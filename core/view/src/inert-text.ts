/** ESC sequences (CSI, OSC, DCS, SOS, PM, APC, two-character ones) and their 8-bit forms. An escape ends an open string, as in terminals. */
const escapeSequences =
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|(?=\u001b)|$)|\u001b[ -/]*[0-~]?/g;
/** Controls that move or hide text: C0 but newline and tab, DEL, C1, and the bidirectional controls. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Untrusted text made safe for a terminal: it can show characters, and do nothing else. */
export function inertText(text: string): string {
  return text.replace(escapeSequences, "").replaceAll("\r\n", "\n").replace(controls, "");
}

/** Untrusted text as one line, cut in the middle of nowhere only at the end, with a mark. */
export function inertLine(text: string, limitCharacters: number): string {
  const line = inertText(text)
    .trim()
    .replaceAll(/\s*\n\s*/g, " ⏎ ");
  return line.length > limitCharacters ? `${line.slice(0, limitCharacters - 1).toWellFormed()}…` : line;
}

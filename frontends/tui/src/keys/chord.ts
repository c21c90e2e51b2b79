/** How a character is named in a chord: what Shift makes of it is another character already. */
export function nameOf(character: string): string {
  if (character === " ") return "space";
  const lower = character.toLowerCase();
  return lower === character || lower.length !== character.length ? character : `shift+${lower}`;
}

/** Control characters as the keys that send them. */
export function controlChord(code: number): string {
  switch (code) {
    case 0x09:
      return "tab";
    case 0x0d:
      return "enter";
    case 0x1b:
      return "escape";
    case 0x7f:
    case 0x08:
      return "backspace";
    case 0x00:
      return "ctrl+space";
    default:
      // `ctrl+_` is what Ctrl-/ sends, too.
      return `ctrl+${String.fromCharCode(code + 0x40).toLowerCase()}`;
  }
}

/** Whether a code point belongs to a set; `undefined` stands for "no character" at either end of the text. */
export type CharacterTest = (code: number) => boolean;

/** The sets that one letter after a backslash names. */
export function namedSet(letter: string): CharacterTest | undefined {
  switch (letter) {
    case "d":
      return isDigit;
    case "D":
      return (code) => !isDigit(code);
    case "w":
      return isWordCharacter;
    case "W":
      return (code) => !isWordCharacter(code);
    case "s":
      return isBlank;
    case "S":
      return (code) => !isBlank(code);
    default:
      return undefined;
  }
}

/** Letters, digits and `_`. */
export function isWordCharacter(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || isDigit(code) || code === 95;
  return /[\p{L}\p{N}]/u.test(String.fromCodePoint(code));
}

/** The character an escape means that names no set; `undefined`: it has no meaning we know. */
export function escapedCharacter(letter: string): number | undefined {
  const control = controlEscapes.get(letter);
  if (control !== undefined) return control;
  return /[A-Za-z0-9]/.test(letter) ? undefined : letter.codePointAt(0);
}

/** One character, in either case where case makes no difference. */
export function oneCharacter(code: number, ignoresCase: boolean): CharacterTest {
  if (!ignoresCase) return (other) => other === code;
  const folded = foldCase(code);
  return (other) => foldCase(other) === folded;
}

/** All characters from one to another. */
export function characterRange(first: number, last: number, ignoresCase: boolean): CharacterTest {
  const plain: CharacterTest = (code) => code >= first && code <= last;
  if (!ignoresCase) return plain;
  return (code) => plain(code) || plain(foldCase(code)) || plain(raiseCase(code));
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isBlank(code: number): boolean {
  if (code < 128) return code === 32 || (code >= 9 && code <= 13) || (code >= 28 && code <= 31);
  return /\s/u.test(String.fromCodePoint(code));
}

function foldCase(code: number): number {
  if (code < 128) return code >= 65 && code <= 90 ? code + 32 : code;
  return String.fromCodePoint(code).toLowerCase().codePointAt(0) ?? code;
}

function raiseCase(code: number): number {
  return String.fromCodePoint(code).toUpperCase().codePointAt(0) ?? code;
}

const controlEscapes: ReadonlyMap<string, number> = new Map([
  ["t", 9],
  ["n", 10],
  ["v", 11],
  ["f", 12],
  ["r", 13],
]);

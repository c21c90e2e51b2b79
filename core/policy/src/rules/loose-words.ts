import { codesPerPiece } from "../limits.ts";

/**
 * The words in a text that was not understood, as far as a wide net can catch them: quotes and backslashes are dropped as a shell
 * would, and whatever separates commands or words separates here. For deny and ask rules only: it finds too much rather than
 * too little. One pass over character codes, because a megabyte must be done before anyone notices.
 * @returns words in lower case, joined by NUL, in two readings one after the other: cut at shell syntax, and at all punctuation
 */
export function looseWords(text: string): string {
  const coarse = cutWords(text, kinds.syntax);
  const fine = cutWords(text, kinds.punctuation);
  return coarse === fine ? coarse : `${coarse}${fine}`;
}

/** The first of the two readings. */
export function syntaxWords(text: string): string {
  return cutWords(text, kinds.syntax);
}

// Kinds of characters; what separates words in a reading is everything between `word` and the reading's own kind.
const kinds = { word: 0, syntax: 1, punctuation: 2, quote: 3, backslash: 4 } as const;

function cutWords(text: string, separators: typeof kinds.syntax | typeof kinds.punctuation): string {
  const codes = new Uint16Array(text.length + 2);
  let length = 1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const kind = code < 128 ? (kindOfAscii[code] ?? kinds.word) : kindOfFarCode(code);
    if (kind === kinds.backslash) index += lineEndAfter(text, index);
    else if (kind === kinds.quote) continue;
    else if (kind === kinds.word || kind > separators) {
      codes[length] = code;
      length += 1;
    } else if (codes[length - 1] !== 0) length += 1;
  }
  // The array is zeroed: the last word ends in NUL by counting one more.
  return textOf(codes.subarray(0, codes[length - 1] === 0 ? length : length + 1)).toLowerCase();
}

const kindOfAscii: readonly number[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (code <= 0x20 || code === 0x7f || ";&|<>(){}$`".includes(character)) return kinds.syntax;
  if (",=[]!#:@*?^~+%".includes(character)) return kinds.punctuation;
  if (character === "\\") return kinds.backslash;
  return character === "'" || character === '"' ? kinds.quote : kinds.word;
});

/** Spaces, line ends and controls beyond ASCII, that some program may take for a blank. */
function kindOfFarCode(code: number): number {
  const isBlank = code <= 0xa0 || (code >= 0x2000 && code <= 0x200a) || farBlanks.includes(code);
  return isBlank ? kinds.syntax : kinds.word;
}

const farBlanks: readonly number[] = [0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff];

/** A backslash before a line end joins the lines. */
function lineEndAfter(text: string, index: number): number {
  if (text[index + 1] === "\n") return 1;
  return text[index + 1] === "\r" && text[index + 2] === "\n" ? 2 : 0;
}

function textOf(codes: Uint16Array): string {
  const pieces: string[] = [];
  for (let start = 0; start < codes.length; start += codesPerPiece) {
    pieces.push(Reflect.apply(String.fromCharCode, undefined, codes.subarray(start, start + codesPerPiece)));
  }
  return pieces.join("");
}

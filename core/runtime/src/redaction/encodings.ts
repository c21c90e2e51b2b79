import { fromBase64, toBase64 } from "./base64.ts";
import { fromHex } from "./dump-lines.ts";

/** A way to write a text in letters and digits, as far as a key is looked for in it: at its beginning. */
export interface Encoding {
  /** The first four characters of everything that begins with these three letters. */
  readonly beginning: (anchor: string) => string;
  /** What a run says, one character each. */
  readonly read: (run: string) => string;
}

const base64: Encoding = { beginning: (anchor) => toBase64(anchor).slice(0, 4), read: fromBase64 };

export const encodings: readonly Encoding[] = [
  base64,
  again(base64),
  again(again(base64)),
  // UTF-16, as PowerShell encodes its commands.
  {
    beginning: (anchor) => toBase64(`${anchor.charAt(0)}\0${anchor.charAt(1)}`),
    read: (run) => withoutZeros(fromBase64(run)),
  },
  { beginning: hexBeginning, read: fromHex },
  { beginning: (anchor) => hexBeginning(anchor).toUpperCase(), read: fromHex },
  { beginning: (anchor) => hexBeginning(`${anchor.charAt(0)}\0`), read: (run) => withoutZeros(fromHex(run)) },
];

/** The same, encoded in base64 once more. */
function again(inner: Encoding): Encoding {
  return {
    beginning: (anchor) => toBase64(inner.beginning(anchor).slice(0, 3)),
    read: (run) => inner.read(fromBase64(run)),
  };
}

function hexBeginning(text: string): string {
  return Array.from(text.slice(0, 2), (letter) => letter.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}

function withoutZeros(text: string): string {
  return text.replaceAll("\0", "");
}

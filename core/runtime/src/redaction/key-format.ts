/** A run of characters: a class as a RegExp writes it between brackets, with how many there must be. */
export interface Run {
  readonly characters: string;
  readonly min: number;
  readonly max?: number;
}

/** A piece of a key's form: letters as they stand, a run, or something looked at without being taken. */
export type Piece = string | Run | { readonly look: string };

/** The form of one vendor's keys. */
export interface KeyFormat {
  readonly name: string;
  /** Three characters each: every key of this form begins with one of them. */
  readonly anchors: readonly string[];
  /** Keys of this form are also looked for in base64. */
  readonly inBase64: boolean;
  /** Sticky. Group 1 is shown, group 2 too where there is one; between them stands the secret. */
  readonly whole: RegExp;
  /** Sticky: matches where a text ends in the middle of what may become a key. */
  readonly begun: RegExp;
}

interface FormatOptions {
  /** Pieces at the beginning that are no secret: 1 unless said otherwise. */
  readonly shown?: number;
  readonly ignoreCase?: boolean;
  /** What must not stand before it; letters and digits unless said otherwise. */
  readonly before?: string;
  readonly anchors?: readonly string[];
  readonly inBase64?: boolean;
}

/** Makes a form from its pieces; the first one is a text of three letters or more unless `anchors` are given. */
export function keyFormat(name: string, pieces: readonly Piece[], options: FormatOptions = {}): KeyFormat {
  const { shown = 1, ignoreCase = false, before = String.raw`(?<![A-Za-z0-9])`, inBase64 = true } = options;
  const flags = ignoreCase ? "iy" : "y";
  const [first] = pieces;
  const [whole, begun] = [
    once(() => new RegExp(wholePattern(before, pieces, shown), flags)),
    once(() => new RegExp(`${before}${pieces.reduceRight(begunOf, "$")}`, flags)),
  ];
  return {
    name,
    anchors: options.anchors ?? anchorsOf(typeof first === "string" ? first : "", ignoreCase),
    inBase64: inBase64 && !ignoreCase && options.anchors === undefined,
    get whole() {
      return whole();
    },
    get begun() {
      return begun();
    },
  };
}

function wholePattern(before: string, pieces: readonly Piece[], shown: number): string {
  const head = pieces.slice(0, shown).map(wholeOf).join("");
  const secret = pieces.slice(shown).map(wholeOf).join("");
  return `${before}(${head})${secret}`;
}

/** Most forms never occur: what finds them is made when one may be there. */
function once<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

/** Letters, digits, `_` and `-`, as most keys have them. */
export function word(min: number): Run {
  return { characters: String.raw`\w-`, min };
}

export function alphanumeric(min: number, max?: number): Run {
  return { characters: "A-Za-z0-9", min, ...(max === undefined ? {} : { max }) };
}

export function hex(min: number, max?: number): Run {
  return { characters: "0-9a-fA-F", min, ...(max === undefined ? {} : { max }) };
}

function wholeOf(piece: Piece): string {
  if (typeof piece === "string") return escaped(piece);
  if ("look" in piece) return piece.look;
  return `[${piece.characters}]{${piece.min},${piece.max ?? ""}}`;
}

/** What may be there of a piece and all after it when the text ends. */
function begunOf(rest: string, piece: Piece): string {
  if (typeof piece === "string") {
    return Array.from(piece).reduceRight((after, character) => `(?:$|${escaped(character)}${after})`, rest);
  }
  if ("look" in piece) return rest;
  return `(?:[${piece.characters}]{0,${piece.max ?? ""}}$|${wholeOf(piece)}${rest})`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

function anchorsOf(text: string, ignoreCase: boolean): readonly string[] {
  const anchor = text.slice(0, 3);
  if (!ignoreCase) return [anchor];
  return Array.from(anchor).reduce<string[]>(
    (made, character) =>
      made.flatMap((begun) => [...new Set([begun + character.toLowerCase(), begun + character.toUpperCase()])]),
    [""],
  );
}

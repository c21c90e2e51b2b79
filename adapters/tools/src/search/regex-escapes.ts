/** One item of a pattern: a character as itself, or something that stands for more. `end`: index behind it. */
export type RegexPiece =
  | { readonly type: "literal"; readonly character: string; readonly end: number }
  | { readonly type: "source"; readonly source: string; readonly end: number }
  | { readonly type: "problem"; readonly message: string; readonly end: number };

/** What `\w` means to ripgrep: letters, marks, digits and connectors of all scripts. */
export const wordCharacters = "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]";

/** Reads an escape, a POSIX class or a plain character at `at`. */
export function parseClassItem(characters: readonly string[], at: number, place: "inside" | "outside"): RegexPiece {
  const character = characters[at] ?? "";
  if (character === "[") return parsePosixClass(characters, at);
  if (character !== "\\") return { type: "literal", character, end: at + 1 };
  const letter = characters[at + 1];
  const end = at + 2;
  if (letter === undefined) return { type: "problem", message: "regex parse error: incomplete escape sequence", end };
  const shorthand = shorthands.get(letter) ?? (place === "outside" ? positions.get(letter) : undefined);
  if (shorthand !== undefined) return { type: "source", source: shorthand, end };
  const control = controls.get(letter);
  if (control !== undefined) return { type: "literal", character: control, end };
  if (/[pP]/.test(letter)) return parseProperty(characters, at);
  if (/[xuU]/.test(letter)) return parseCodePoint(characters, at);
  if (/[0-9k]/.test(letter)) return { type: "problem", message: "backreferences are not supported", end };
  if (/[A-Za-z]/.test(letter)) {
    return { type: "problem", message: `regex parse error: unrecognized escape sequence \\${letter}`, end };
  }
  return { type: "literal", character: letter, end };
}

const shorthands: ReadonlyMap<string, string> = new Map([
  ["d", "\\p{Nd}"],
  ["D", "\\P{Nd}"],
  ["w", wordCharacters],
  ["W", wordCharacters.replace("[", "[^")],
  ["s", "\\p{White_Space}"],
  ["S", "\\P{White_Space}"],
]);

const before = `(?<=${wordCharacters})`;
const notBefore = `(?<!${wordCharacters})`;
const after = `(?=${wordCharacters})`;
const notAfter = `(?!${wordCharacters})`;

const positions: ReadonlyMap<string, string> = new Map([
  ["b", `(?:${before}${notAfter}|${notBefore}${after})`],
  ["B", `(?:${before}${after}|${notBefore}${notAfter})`],
  ["<", `(?:${notBefore}${after})`],
  [">", `(?:${before}${notAfter})`],
  ["A", "^"],
  ["z", "$"],
]);

const controls: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["f", "\f"],
  ["v", "\v"],
  ["a", "\u0007"],
]);

const posixClasses: ReadonlyMap<string, string> = new Map([
  ["alnum", "0-9A-Za-z"],
  ["alpha", "A-Za-z"],
  ["ascii", "\\x00-\\x7F"],
  ["blank", "\\t\\x20"],
  ["cntrl", "\\x00-\\x1F\\x7F"],
  ["digit", "0-9"],
  ["graph", "\\x21-\\x7E"],
  ["lower", "a-z"],
  ["print", "\\x20-\\x7E"],
  ["punct", "\\x21-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E"],
  ["space", "\\t-\\r\\x20"],
  ["upper", "A-Z"],
  ["word", "0-9A-Za-z_"],
  ["xdigit", "0-9A-Fa-f"],
]);

function parsePosixClass(characters: readonly string[], at: number): RegexPiece {
  const [whole = "[", negation = "", name = ""] =
    /^\[:(\^?)([a-z]+):\]/.exec(characters.slice(at, at + 16).join("")) ?? [];
  const items = posixClasses.get(name);
  if (items === undefined) return { type: "literal", character: "[", end: at + 1 };
  return { type: "source", source: `[${negation}${items}]`, end: at + whole.length };
}

function parseProperty(characters: readonly string[], at: number): RegexPiece {
  const [whole = "", letter = "", negation = "", braced, single] =
    /^\\([pP])(?:\{(\^?)([\w=:]+)\}|([A-Z]))/.exec(characters.slice(at, at + 64).join("")) ?? [];
  const name = (braced ?? single ?? "").replace(":", "=");
  const negated = (letter === "P") !== (negation === "^");
  const spellings = [name, `Script=${name}`, `General_Category=${name}`];
  const known = spellings.find((spelling) => isProperty(spelling));
  const end = at + Math.max(whole.length, 2);
  if (known === undefined) return { type: "problem", message: "regex parse error: Unicode property not found", end };
  return { type: "source", source: `\\${negated ? "P" : "p"}{${known}}`, end };
}

function isProperty(name: string): boolean {
  try {
    return new RegExp(`\\p{${name}}`, "v").source !== "";
  } catch {
    return false;
  }
}

function parseCodePoint(characters: readonly string[], at: number): RegexPiece {
  const found = /^\\(?:[xuU]\{([0-9A-Fa-f]{1,8})\}|x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))/.exec(
    characters.slice(at, at + 16).join(""),
  );
  const value = Number.parseInt(found?.slice(1).find((digits) => digits !== undefined) ?? "", 16);
  const end = at + (found?.[0].length ?? 2);
  if (!(value <= 0x10ffff) || (value >= 0xd800 && value <= 0xdfff)) {
    return { type: "problem", message: "regex parse error: invalid hexadecimal escape", end };
  }
  return { type: "literal", character: String.fromCodePoint(value), end };
}

/** One part of a pattern: a byte or a set of bytes, any single byte, or any number of them. */
type Token =
  | { readonly type: "byte"; readonly byte: string }
  | { readonly type: "any-byte" }
  | { readonly type: "any-bytes" }
  | { readonly type: "set"; readonly negated: boolean; readonly holds: (byte: string) => boolean };

/** A pattern for one name, without slashes. Works on bytes, as Git does: names and patterns are given as latin1 text. */
export class NamePattern {
  readonly #tokens: readonly Token[];

  private constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** @returns `undefined` for a pattern that Git takes for broken: it matches nothing */
  static parse(text: string): NamePattern | undefined {
    const tokens: Token[] = [];
    for (let at = 0; at < text.length;) {
      const character = text.charAt(at);
      if (character === "[") {
        const set = parseSet(text, at);
        if (set === undefined) return undefined;
        tokens.push(set.token);
        at = set.end;
      } else if (character === "\\") {
        if (at + 1 === text.length) return undefined;
        tokens.push({ type: "byte", byte: text.charAt(at + 1) });
        at += 2;
      } else {
        if (character !== "*" || tokens.at(-1)?.type !== "any-bytes") tokens.push(plainToken(character));
        at += 1;
      }
    }
    return new NamePattern(tokens);
  }

  /** At most as many steps as name and pattern are long, multiplied: a star is only ever tried again from the last one. */
  matches(name: string): boolean {
    let token = 0;
    let byte = 0;
    let star = -1;
    let starByte = 0;
    while (byte < name.length) {
      const one = this.#tokens[token];
      if (one?.type === "any-bytes") {
        star = token;
        starByte = byte;
        token += 1;
      } else if (one !== undefined && matchesByte(one, name.charAt(byte))) {
        token += 1;
        byte += 1;
      } else if (star >= 0) {
        token = star + 1;
        starByte += 1;
        byte = starByte;
      } else return false;
    }
    while (this.#tokens[token]?.type === "any-bytes") token += 1;
    return token === this.#tokens.length;
  }
}

/**
 * The parts of a pattern between slashes. A slash within brackets is none: the set goes on behind it, though it never matches one.
 * @returns `undefined` for a broken pattern
 */
export function splitPattern(text: string): readonly string[] | undefined {
  const parts: string[] = [];
  let part = "";
  for (let at = 0; at < text.length;) {
    const end = endOfToken(text, at);
    if (end === undefined) return undefined;
    const token = text.slice(at, end);
    if (token === "/" || token === "\\/") {
      parts.push(part);
      part = "";
    } else part += token;
    at = end;
  }
  return [...parts, part];
}

function endOfToken(text: string, at: number): number | undefined {
  if (text[at] === "[") return parseSet(text, at)?.end;
  return text[at] === "\\" ? at + 2 : at + 1;
}

function plainToken(character: string): Token {
  if (character === "*") return { type: "any-bytes" };
  return character === "?" ? { type: "any-byte" } : { type: "byte", byte: character };
}

function matchesByte(token: Exclude<Token, { readonly type: "any-bytes" }>, byte: string): boolean {
  switch (token.type) {
    case "byte":
      return token.byte === byte;
    case "any-byte":
      return true;
    case "set":
      return token.holds(byte) !== token.negated;
  }
}

interface ParsedSet {
  readonly token: Token;
  readonly end: number;
}

/** A set in brackets, with ranges and classes; a "]" in the first place is meant as such. */
function parseSet(text: string, start: number): ParsedSet | undefined {
  const negated = text[start + 1] === "!" || text[start + 1] === "^";
  const first = start + (negated ? 2 : 1);
  const members: ((byte: string) => boolean)[] = [];
  for (let at = first; at < text.length;) {
    if (text[at] === "]" && at > first) {
      const holds = (byte: string): boolean => members.some((member) => member(byte));
      return { token: { type: "set", negated, holds }, end: at + 1 };
    }
    const member = parseMember(text, at);
    if (member === undefined) return undefined;
    members.push(member.holds);
    at = member.end;
  }
  return undefined;
}

interface ParsedMember {
  readonly holds: (byte: string) => boolean;
  readonly end: number;
}

/** @returns `undefined` for what Git takes for broken, such as a class it does not know */
function parseMember(text: string, at: number): ParsedMember | undefined {
  const close = text.startsWith("[:", at) ? text.indexOf("]", at + 2) : -1;
  if (close <= at + 2 || text[close - 1] !== ":") return parseRange(text, at);
  const pattern = classes.get(text.slice(at + 2, close - 1));
  return pattern === undefined ? undefined : { holds: (byte) => pattern.test(byte), end: close + 1 };
}

function parseRange(text: string, at: number): ParsedMember | undefined {
  const from = readByte(text, at);
  if (from === undefined) return undefined;
  if (text[from.end] !== "-" || text[from.end + 1] === "]" || from.end + 1 >= text.length) {
    return { holds: (byte) => byte === from.byte, end: from.end };
  }
  const to = readByte(text, from.end + 1);
  if (to === undefined) return undefined;
  // The beginning is in it even where the end comes before it.
  return { holds: (byte) => byte === from.byte || (byte >= from.byte && byte <= to.byte), end: to.end };
}

function readByte(text: string, at: number): { readonly byte: string; readonly end: number } | undefined {
  const place = text[at] === "\\" ? at + 1 : at;
  return place < text.length ? { byte: text.charAt(place), end: place + 1 } : undefined;
}

const classes: ReadonlyMap<string, RegExp> = new Map([
  ["alnum", /[a-z0-9]/i],
  ["alpha", /[a-z]/i],
  ["blank", /[ \t]/],
  // oxlint-disable-next-line no-control-regex -- that is what the class means
  ["cntrl", /[\0-\x1f\x7f]/],
  ["digit", /\d/],
  ["graph", /[!-~]/],
  ["lower", /[a-z]/],
  ["print", /[ -~]/],
  ["punct", /[!-/:-@[-`{-~]/],
  ["space", /[ \t-\r]/],
  ["upper", /[A-Z]/],
  ["xdigit", /[0-9a-f]/i],
]);

/** Characters of a key that are quoted back. */
const quotedCharacters = 100;

/**
 * The first key that stands twice in one object. What parses keeps only the last of them, and who looked at the text saw the
 * first.
 * @param json  valid JSON, nested as deep as memory for its open objects may go
 */
export function repeatedKey(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  // A string is a key where an object's member begins.
  let awaitsKey = false;
  for (const token of tokensOf(json)) {
    switch (token) {
      case "{":
        open.push(new Set());
        awaitsKey = true;
        break;
      case "[":
        open.push(undefined);
        awaitsKey = false;
        break;
      case "}":
      case "]":
        open.pop();
        awaitsKey = false;
        break;
      case ",":
        awaitsKey = open.at(-1) !== undefined;
        break;
      case ":":
        awaitsKey = false;
        break;
      default: {
        const keys = awaitsKey ? open.at(-1) : undefined;
        if (keys === undefined) break;
        const key = textOf(token);
        if (keys.has(key)) return key.slice(0, quotedCharacters).toWellFormed();
        keys.add(key);
      }
    }
  }
  return undefined;
}

/** Strings and punctuation. By hand: an expression needs stack for every character of a string of megabytes. */
function* tokensOf(json: string): Generator<string> {
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charAt(at);
    if (character === '"') {
      const end = endOfString(json, at);
      yield json.slice(at, end);
      at = end - 1;
    } else if ("{}[],:".includes(character)) yield character;
  }
}

/** @returns the index behind the closing quote */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === backslash) at += 1;
  }
  return json.length;
}

const quote = 0x22;
const backslash = 0x5c;

/** The same key may be written with and without escapes. */
function textOf(token: string): string {
  if (!token.includes("\\")) return token.slice(1, -1);
  const value: unknown = JSON.parse(token);
  return typeof value === "string" ? value : token;
}

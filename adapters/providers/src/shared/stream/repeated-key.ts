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
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
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

/** The same key may be written with and without escapes. */
function textOf(token: string): string {
  if (!token.includes("\\")) return token.slice(1, -1);
  const value: unknown = JSON.parse(token);
  return typeof value === "string" ? value : token;
}

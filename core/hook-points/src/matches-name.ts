import { maxMatchedCharacters } from "./limits.ts";

/**
 * Whether a matcher means one of the names: empty or `*` means all; letters, digits and signs of names mean themselves, several with `|`
 * between them; everything else is a regular expression for a part of the name.
 */
export function matchesName(matcher: string, names: readonly string[]): boolean {
  const text = matcher.trim();
  if (text === "" || text === "*") return true;
  if (/^[\w\-.|, ]+$/.test(text)) {
    const wanted = text.split(/[|,]/).map((name) => name.trim());
    return names.some((name) => wanted.includes(name));
  }
  const pattern = patternOf(text);
  // Whoever wrote an expression that cannot be read wanted it to mean something.
  if (pattern === undefined) return true;
  return names.some((name) => pattern.test(name.slice(0, maxMatchedCharacters)));
}

/** Why a matcher cannot be read; `undefined`: it can. */
export function matcherProblem(matcher: string): string | undefined {
  const text = matcher.trim();
  return text === "*" || patternOf(text) !== undefined ? undefined : "it is no regular expression";
}

function patternOf(text: string): RegExp | undefined {
  try {
    return new RegExp(text);
  } catch {
    return undefined;
  }
}

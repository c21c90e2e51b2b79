import { maxSearchWords } from "../limits.ts";

/**
 * Full-text queries for words, in the order in which their answers count: what has all of them, then what has one at least. Each word is
 * quoted, so that nothing in it is an operator. What is joined by signs, such as a path, is a phrase.
 * @returns none where there is no word
 */
export function wordQueries(text: string): readonly string[] {
  const words = text
    .split(/\s+/)
    .map((word) => word.replaceAll(/["\0]/g, ""))
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const quoted = [...new Set(words)].slice(0, maxSearchWords).map((word) => `"${word}"`);
  if (quoted.length < 2) return quoted;
  return [quoted.join(" AND "), quoted.join(" OR ")];
}

/** The answers of one query after the other, each once, at most `limit`. */
export function answersOf<Answer>(
  queries: readonly string[],
  ask: (query: string) => readonly Answer[],
  { keyOf, limit }: { readonly keyOf: (answer: Answer) => string; readonly limit: number },
): readonly Answer[] {
  const found = new Map<string, Answer>();
  for (const query of queries) {
    if (found.size >= limit) break;
    for (const answer of ask(query)) if (!found.has(keyOf(answer))) found.set(keyOf(answer), answer);
  }
  return [...found.values()].slice(0, limit);
}

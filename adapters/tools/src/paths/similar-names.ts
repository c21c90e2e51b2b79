import { opendir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { hasOddCharacter } from "./inert-text.ts";
import { maxSimilarityEntries, maxSuggestions } from "./limits.ts";
import { similarityTo } from "../files/text-similarity.ts";

/** Existing neighbours of a missing path whose names are nearly the same; absolute, best first. Empty when the directory is missing too. */
export async function similarNames(missing: string): Promise<readonly string[]> {
  const wanted = basename(missing).toLowerCase();
  const names = await namesIn(dirname(missing));
  const similarity = similarityTo(wanted);
  return names
    .map((name) => ({ name, score: nameScore(wanted, name.toLowerCase(), similarity) }))
    .filter(({ score }) => score >= 0.5)
    .toSorted((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, maxSuggestions)
    .map(({ name }) => join(dirname(missing), name));
}

function nameScore(wanted: string, name: string, similarity: (other: string) => number): number {
  if (wanted === name) return 1;
  // The same stem with another ending is the commonest slip: main.js for main.ts.
  if (stem(wanted) === stem(name)) return 0.9;
  return similarity(name);
}

function stem(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, "");
}

async function namesIn(directory: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(directory)) {
      if (names.length >= maxSimilarityEntries) break;
      if (!hasOddCharacter(entry.name)) names.push(entry.name);
    }
  } catch {
    // Without a readable directory there is nothing to offer.
  }
  return names;
}

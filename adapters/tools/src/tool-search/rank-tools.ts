import type { ToolDefinition } from "@capstan/protocol";
import { schemaFields } from "../arguments/schema-types.ts";

/** How much one more occurrence of a word adds, and how much a long text is held against a tool: the usual numbers of BM25. */
const saturation = 1.2;
const lengthWeight = 0.75;

/** A word of the name says more than one of the description. */
const nameWeight = 4;
const fieldWeight = 1;

/** The tools that have words of a query, those that fit best first (Okapi BM25 over name, description and fields). */
export function rankTools(query: string, tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const wanted = new Set(wordsOf(query));
  const texts = tools.map(countWords);
  const average = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const rarities = new Map(
    [...wanted].map((word) => [word, rarity(texts.filter(({ counts }) => counts.has(word)).length, texts.length)]),
  );
  const scored = tools.map((tool, at) => ({ tool, score: scoreOf(texts[at], rarities, average) }));
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ tool }) => tool);
}

interface WordCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

function scoreOf(text: WordCounts | undefined, rarities: ReadonlyMap<string, number>, average: number): number {
  if (text === undefined) return 0;
  const norm = saturation * (1 - lengthWeight + lengthWeight * (text.length / Math.max(1, average)));
  let score = 0;
  for (const [word, weight] of rarities) {
    const count = text.counts.get(word) ?? 0;
    score += (weight * count * (saturation + 1)) / (count + norm);
  }
  return score;
}

function rarity(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

function countWords({ name, description, inputSchema }: ToolDefinition): WordCounts {
  const counts = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + weight);
  };
  add(name, nameWeight);
  add(description, 1);
  add(Object.keys(schemaFields(inputSchema)).join(" "), fieldWeight);
  return { counts, length: [...counts.values()].reduce((sum, count) => sum + count, 0) };
}

/** Words in lower case; `readFile` and `read_file` are two, `readFile` is one as well (as `JavaScript` is), and a plural is its singular. */
function wordsOf(text: string): readonly string[] {
  const written = [...text.matchAll(/[\p{L}\p{N}]+/gu)].flatMap(([word]) => {
    const parts = word.split(/(?<=[a-z0-9])(?=[A-Z])/);
    return parts.length === 1 ? parts : [...parts, word];
  });
  return written
    .map((word) => word.toLowerCase())
    .map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, "") : word));
}

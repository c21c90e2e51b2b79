import { textTokens } from "@capstan/context";
import type { PageChunk } from "@capstan/ports";
import type { Block } from "./page-text.ts";

/**
 * Joins blocks below one heading into chunks of so many tokens. Lists, tables and code stay whole; a long paragraph is cut between sentences,
 * else between words.
 */
export function chunkBlocks(blocks: readonly Block[], maxTokens: number): readonly PageChunk[] {
  const chunks: PageChunk[] = [];
  let heading = "";
  let parts: string[] = [];
  let tokens = 0;
  const end = (): void => {
    if (parts.length > 0) chunks.push({ heading, text: parts.join("\n\n"), tokenCount: Math.ceil(tokens) });
    parts = [];
    tokens = 0;
  };
  const add = (text: string): void => {
    const more = textTokens(text);
    if (tokens > 0 && tokens + more > maxTokens) end();
    parts.push(text);
    tokens += more;
  };
  for (const { type, text } of blocks) {
    switch (type) {
      case "heading":
        end();
        heading = text;
        break;
      case "whole":
        add(text);
        break;
      case "text":
        for (const piece of pieces(text, maxTokens)) add(piece);
        break;
    }
  }
  end();
  return chunks;
}

function pieces(text: string, maxTokens: number): readonly string[] {
  const found: string[] = [];
  let rest = text;
  while (!fits(rest, maxTokens)) {
    const at = cutOf(rest, maxTokens);
    found.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  return [...found, rest].filter((piece) => piece !== "");
}

/** A long text is not counted to its end. */
function fits(text: string, maxTokens: number): boolean {
  return text.length <= maxTokens * maxUnitsPerToken && textTokens(text) <= maxTokens;
}

/** How many UTF-16 units fit, up to the end of a sentence or of a word in the second half of that. */
function cutOf(text: string, maxTokens: number): number {
  let [low, high] = [1, Math.min(text.length, maxTokens * maxUnitsPerToken)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (textTokens(text.slice(0, middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  const half = text.slice(0, low);
  const ends = [...half.matchAll(/[.!?。！？][\s"')\]]*\s|\n/g)].map(({ index, 0: end }) => index + end.length);
  const sentence = ends.findLast((end) => end > low / 2);
  if (sentence !== undefined) return sentence;
  const word = half.lastIndexOf(" ");
  if (word > low / 2) return word + 1;
  // Never between the halves of a character.
  return /[\ud800-\udbff]$/.test(half) && low > 1 ? low - 1 : low;
}

/** More than any token has. */
const maxUnitsPerToken = 8;

import { createHash } from "node:crypto";
import { limits } from "../limits.ts";
import type { Prompt, PromptPart } from "./prompt.ts";

/** What a prompt costs to read. Tokens; `prompt` counts the other two as well. */
export interface CacheUse {
  readonly prompt: number;
  readonly read: number;
  readonly written: number;
}

/** The vendors' prompt caches, without their clocks: what was kept stays. Owned by one server. */
export interface PromptCache {
  /** Reads a prompt, and keeps what its vendor would keep of it. */
  use(prompt: Prompt): CacheUse;
}

/** Tokens of a text. */
export type CountTokens = (text: string) => number;

/** The rule of thumb of this server, in characters. */
const tokenLength = 4;

/** Tokens by that rule: what counts where nobody brings a tokenizer. */
export function usualTokens(text: string): number {
  return text.length / tokenLength;
}

/** The least that vendors keep, in tokens. */
const leastTokens = 1024;
/** How many parts a marked prefix is looked for in, the marked one included (Anthropic). */
const lookBackParts = 20;
/** What automatic caches count in, in tokens (OpenAI). */
const stepTokens = 128;

export function createPromptCache(count: CountTokens = usualTokens): PromptCache {
  const kept = new Set<string>();
  return {
    use(prompt) {
      const use = prompt.keeping === "marked" ? useMarked(prompt, kept, count) : useAutomatic(prompt, kept, count);
      for (const oldest of kept) {
        if (kept.size <= limits.rememberedPrefixes) break;
        kept.delete(oldest);
      }
      return use;
    },
  };
}

interface Prefix {
  readonly digest: string;
  readonly tokens: number;
  readonly marked: boolean;
}

/** The longest kept prefix that a mark finds is read; from there to the last mark is written; the rest is neither. */
function useMarked({ model, parts }: Prompt, kept: Set<string>, count: CountTokens): CacheUse {
  const prefixes = prefixesOf(model, parts, count);
  const marks = prefixes.flatMap(({ marked, tokens }, at) => (marked && tokens >= leastTokens ? [at] : []));
  const read = Math.max(0, ...marks.map((mark) => lookBack(prefixes.slice(0, mark + 1), kept)));
  const lastMark = prefixes[marks.at(-1) ?? -1]?.tokens ?? 0;
  for (const mark of marks) keep(kept, prefixes[mark]?.digest ?? "");
  return { prompt: prefixes.at(-1)?.tokens ?? 0, read, written: Math.max(0, lastMark - read) };
}

function lookBack(prefixes: readonly Prefix[], kept: ReadonlySet<string>): number {
  return prefixes.slice(-lookBackParts).findLast(({ digest }) => kept.has(digest))?.tokens ?? 0;
}

function prefixesOf(model: string, parts: readonly PromptPart[], count: CountTokens): readonly Prefix[] {
  let digest = model;
  let tokens = 0;
  return parts.map(({ place, text, marked }) => {
    digest = chain(digest, `${place}\n${text}`);
    tokens += count(text);
    return { digest, tokens: Math.ceil(tokens), marked };
  });
}

/** Whole steps from the beginning that were read before; everything that is read is kept. */
function useAutomatic({ model, parts }: Prompt, kept: Set<string>, count: CountTokens): CacheUse {
  const text = parts.map((part) => part.text).join("\n");
  const stepLength = stepTokens * tokenLength;
  const steps = Math.floor(text.length / stepLength);
  let digest = model;
  let known = 0;
  for (let step = 0; step < steps; step += 1) {
    digest = chain(digest, text.slice(step * stepLength, (step + 1) * stepLength));
    if (known === step && kept.has(digest)) known += 1;
    keep(kept, digest);
  }
  const prompt = Math.ceil(count(text));
  // The steps are characters; what they are of the whole is what was read of it.
  const read = Math.floor((known * stepTokens * prompt) / Math.max(1, Math.ceil(usualTokens(text))));
  return { prompt, read: read < leastTokens ? 0 : read, written: 0 };
}

/** What is used again counts as new: the oldest go first. */
function keep(kept: Set<string>, digest: string): void {
  kept.delete(digest);
  kept.add(digest);
}

function chain(digest: string, text: string): string {
  return createHash("sha256").update(`${digest}\n${text}`).digest("base64");
}

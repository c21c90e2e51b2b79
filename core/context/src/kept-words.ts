import type { KeptWords } from "@capstan/protocol";
import {
  keptShare,
  maxFirstRequestCharacters,
  maxKeptCharacters,
  maxRequestCharacters,
  maxSentenceCharacters,
  minKeptCharacters,
} from "./limits.ts";
import { shortText } from "./shorten-results.ts";

/** Who said something, and what. */
export interface Said {
  readonly by: "user" | "model";
  readonly text: string;
}

/** What came since the last summary, and what that one kept. */
export interface KeptSource {
  readonly before: readonly KeptWords[];
  readonly said: readonly Said[];
  /** What the user wants of the turn under way, where the summary stands for it as well. */
  readonly request: string | null;
  /** Of the model that reads it, in tokens. */
  readonly budgetTokens: number;
}

/**
 * Chooses what stays word for word beside a summary: the first request, the one under way, and the sentences that bind or decide something, or
 * say what failed. Where they are too many, those of the middle go: what was said first binds longest, and what was said last binds now.
 */
export function keptWords({ before, said, request, budgetTokens }: KeptSource): readonly KeptWords[] {
  const earlier = before.filter(({ kind }) => kind !== "request");
  const first = earlier.some(({ kind }) => kind === "first-request") ? [] : firstRequest(said);
  const found = said.flatMap((each) => sentencesOf(each.text).flatMap((sentence) => classify(sentence, each.by)));
  const now: readonly KeptWords[] =
    request === null ? [] : [{ kind: "request", text: shortText(request.trim(), maxRequestCharacters) }];
  const room = Math.min(maxKeptCharacters, Math.max(minKeptCharacters, budgetTokens * keptShare * 4));
  return [...within(withoutRepeats([...first, ...earlier, ...found]), room), ...now];
}

function firstRequest(said: readonly Said[]): readonly KeptWords[] {
  const words = said.find(({ by, text }) => by === "user" && text.trim() !== "");
  return words === undefined
    ? []
    : [{ kind: "first-request", text: shortText(words.text.trim(), maxFirstRequestCharacters) }];
}

function classify(text: string, by: Said["by"]): readonly KeptWords[] {
  const kind = classified(text, by);
  return kind === null ? [] : [{ kind, text }];
}

/** Whether a sentence says what failed, decides something, or binds; `null`: none of it. */
export function classified(sentence: string, by: Said["by"]): "failed" | "decision" | "constraint" | null {
  if (failed.test(sentence)) return "failed";
  if (decided.test(sentence)) return "decision";
  return by === "user" && binding.test(sentence) ? "constraint" : null;
}

/** Sentences and lines outside of code; one that is too long to be a rule is none. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .replaceAll(/```[^]*?(?:```|$)/g, "\n")
    .split(/(?<=[.!?。！？])\s+|\n+/)
    .map((sentence) => sentence.trim().replace(/^(?:(?:[>*\-•#]+|\d{1,3}[.)])\s+)+/, ""))
    .filter((sentence) => sentence.length >= 8 && sentence.length <= maxSentenceCharacters);
}

function withoutRepeats(kept: readonly KeptWords[]): readonly KeptWords[] {
  const seen = new Map<string, KeptWords>();
  for (const words of kept) {
    const key = words.text.toLowerCase().replaceAll(/\s+/g, " ");
    if (!seen.has(key)) seen.set(key, words);
  }
  return [...seen.values()];
}

/** By weight first: a rule outlives a decision, and that what failed. Of one kind, the oldest and the newest outlive those between them. */
function within(kept: readonly KeptWords[], room: number): readonly KeptWords[] {
  const chosen = new Set<KeptWords>();
  let left = room;
  for (const kind of ["first-request", "constraint", "decision", "failed"] as const) {
    for (const words of endsFirst(kept.filter((each) => each.kind === kind))) {
      if (words.text.length > left) continue;
      left -= words.text.length;
      chosen.add(words);
    }
  }
  return kept.filter((words) => chosen.has(words));
}

function endsFirst<Item>(items: readonly Item[]): readonly Item[] {
  const middle = Math.ceil(items.length / 2);
  const newest = items.slice(middle).toReversed();
  return items.slice(0, middle).flatMap((item, index) => [item, ...newest.slice(index, index + 1)]);
}

/** Words by which people bind an agent. English first, and the plainest of German, French and Spanish. */
const binding =
  /(?<![\p{L}\d])(never|always|must(n't)?|sha(ll|n't)|should(n't)?|do not|don't|cannot|can't|may not|may only|only|avoid|refrain|forbid(den)?|prohibit(ed)?|off[- ]limits|not allowed|under no circumstances|no (matter|more than|fewer than|less than)|at (most|least)|without (touching|changing|breaking|adding)|leave .{1,60} (alone|untouched|as (it is|they are))|keep|make sure|ensure|require[sd]?|need(s|ed)? to|has to|have to|stay away|remember|important|prefer|instead of|until|unless|by default|from now on|constraints?|requirements?|rules? (is|are)|hard limit|limit(ed)? to|non[- ]negotiable|exactly|is (fixed|final)|by all means|no one may|nobody may|niemals?|nie|immer|muss|müssen|darf|dürfen|nur|kein(e|en|er)?|nicht|jamais|toujours|doit|doivent|ne .{1,40} pas|nunca|siempre|debe[ns]?|jamás)(?![\p{L}\d])/iu;

/** Words by which something is decided. */
const decided =
  /(?<![\p{L}\d])(decided?|decision|we('ll| will| sha(ll|n't)) (use|go|keep|take|build|store|write|call|stay)|let('s| us) (use|go|keep|take|build|store|call|stay)|go(ing)? with|settled? (on|for)|cho(se|sen|ose)|opt(ed)? (for|to)|agreed?|from now on|stick (with|to)|adopt(ed)?|our choice|the plan is|we are using|the (name|format|database|language) (is|will be)|entschieden|entscheidung|décidé|decidido)(?![\p{L}\d])/iu;

/** Words by which somebody says that a way led nowhere. */
const failed =
  /(?<![\p{L}\d])((did|does|do|will|would) ?n[o']t (work|help|compile|pass|fix)|didn't (work|help)|doesn't (work|help)|no luck|dead end|failed (because|with|when|to)|gave up|ran into|was a mistake|made it worse|had to revert|reverted)(?![\p{L}\d])/iu;

import { canonicalJson, type KeptWords, type Message, type UserContent } from "@capstan/protocol";
import { keptWords, type Said } from "./kept-words.ts";

/** A conversation, and where the facts about the workspace changed, which stand before a turn's words. */
export interface HeldConversation {
  readonly conversation: readonly Message[];
  readonly turns: readonly {
    readonly messagesBefore: number;
    readonly knownBefore: Readonly<Record<string, string>>;
  }[];
  readonly knownFacts: Readonly<Record<string, string>>;
}

/** What the model is to be shown of it. */
interface Cut {
  readonly messageCount: number;
  /** The turn under way; `null`: none is. */
  readonly turn: { readonly messagesBefore: number; readonly content: readonly UserContent[] } | null;
  /** Of the model that reads it. */
  readonly budgetTokens: number;
}

/** What stays word for word beside a summary of the first so many messages, the request under way included where they hold it. */
export function keptBeside(
  held: HeldConversation & {
    readonly summary: { readonly messageCount: number; readonly kept: readonly KeptWords[] } | null;
  },
  { messageCount, turn, budgetTokens }: Cut,
): readonly KeptWords[] {
  const { summary } = held;
  const isPast = turn !== null && turn.messagesBefore < messageCount;
  const texts = (turn?.content ?? []).flatMap((part) => (part.type === "text" ? [part.text] : []));
  return keptWords({
    before: summary?.kept ?? [],
    said: saidIn(held, summary?.messageCount ?? 0, messageCount),
    request: isPast && texts.length > 0 ? texts.join("\n") : null,
    budgetTokens,
  });
}

/** What users and the model said, without tool results and without the facts that stand before a turn's words. */
function saidIn({ conversation, turns, knownFacts }: HeldConversation, from: number, to: number): readonly Said[] {
  const withFacts = new Set(
    turns.flatMap(({ messagesBefore, knownBefore }, index) => {
      if (messagesBefore < from || messagesBefore >= to) return [];
      const after = turns[index + 1]?.knownBefore ?? knownFacts;
      return canonicalJson(after) === canonicalJson(knownBefore) ? [] : [messagesBefore];
    }),
  );
  return conversation.slice(from, to).flatMap((message, index) => {
    if (message.content.some((block) => block.type === "tool-result")) return [];
    const texts = message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
    const words = withFacts.has(from + index) && texts.length > 1 ? texts.slice(1) : texts;
    return words.map((text) => ({ by: message.role === "user" ? ("user" as const) : ("model" as const), text }));
  });
}

import { canonicalJson, type Message } from "@capstan/protocol";
import type { Said } from "./kept-words.ts";

/** A conversation, and where the facts about the workspace changed, which stand before a turn's words. */
export interface HeldConversation {
  readonly conversation: readonly Message[];
  readonly turns: readonly {
    readonly messagesBefore: number;
    readonly knownBefore: Readonly<Record<string, string>>;
  }[];
  readonly knownFacts: Readonly<Record<string, string>>;
}

/** What users and the model said, without tool results and without the facts that stand before a turn's words. */
export function saidIn(
  { conversation, turns, knownFacts }: HeldConversation,
  from: number,
  to: number,
): readonly Said[] {
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

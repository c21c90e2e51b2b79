/** How a model is asked how much to think: not at all, by a budget of tokens, or by a level. */
type ThinkingStyle = "none" | "budget" | "level";

/** What the wire has to know about a model, from its id. Ids nobody knows are taken for models newer than this list. */
export interface GoogleModel {
  readonly thinking: ThinkingStyle;
  /** Bounds of the budget, in tokens; `leastTokens` 0: thinking can be switched off. */
  readonly leastThinkingTokens: number;
  readonly mostThinkingTokens: number;
  /** The lowest level, for those who want no thinking where it cannot be switched off. */
  readonly lowestLevel: "MINIMAL" | "LOW";
  /** Since Gemini 3 a history is refused whose function calls lack their thought signature. */
  readonly needsSignatures: boolean;
  /** What a cached content must hold at least, in tokens. */
  readonly leastCachedTokens: number;
}

/** Looks a model up by its id, with or without `models/` before it. */
export function googleModel(id: string): GoogleModel {
  const name = id.slice(id.lastIndexOf("/") + 1).toLowerCase();
  const older = /^(gemini-[12](\D|$)|gemini-pro|gemma|learnlm|text-|chat-)/.test(name) && !name.endsWith("-latest");
  const flash = name.includes("flash");
  return {
    thinking: thinkingStyle(name, older),
    leastThinkingTokens: flash ? 0 : 128,
    mostThinkingTokens: flash ? 24_576 : 32_768,
    lowestLevel: flash ? "MINIMAL" : "LOW",
    needsSignatures: !older,
    leastCachedTokens: flash ? 1024 : 4096,
  };
}

function thinkingStyle(name: string, older: boolean): ThinkingStyle {
  if (/image|tts|embedding|audio/.test(name)) return "none";
  if (name.startsWith("gemini-2.5")) return "budget";
  return older ? "none" : "level";
}

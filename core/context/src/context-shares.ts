import type { ContextShare, ContextShareName, Message, ModelRequest } from "@capstan/protocol";
import { blockTokens, preambleTokens } from "./estimate-tokens.ts";
import { tokensPerBlock } from "./limits.ts";

type Block = Message["content"][number];

/**
 * What a request is made of.
 * @param calibration  by how much guesses are wrong
 */
export function contextShares(
  { system, tools, messages }: ModelRequest,
  { hasSummary, calibration }: { readonly hasSummary: boolean; readonly calibration: number },
): readonly ContextShare[] {
  const shares = new Map<ContextShareName, { count: number; tokens: number }>();
  const add = (name: ContextShareName, count: number, tokens: number): void => {
    const known = shares.get(name) ?? { count: 0, tokens: 0 };
    shares.set(name, { count: known.count + count, tokens: known.tokens + tokens });
  };
  add("system", system === "" ? 0 : 1, preambleTokens(system, []));
  add("tools", tools.length, preambleTokens("", tools));
  for (const [at, message] of messages.entries())
    for (const [index, block] of message.content.entries()) {
      const isSummary = hasSummary && at === 0 && index === 0;
      add(isSummary ? "summary" : nameOf(message, block), 1, tokensPerBlock + blockTokens(block));
    }
  return [...shares]
    .filter(([, { count }]) => count > 0)
    .map(([name, { count, tokens }]) => ({ name, count, tokens: Math.round(calibration * tokens) }));
}

function nameOf({ role }: Message, block: Block): ContextShareName {
  switch (block.type) {
    case "text":
      return role === "user" ? "words" : "answers";
    case "tool-call":
      return "calls";
    case "tool-result":
      return "results";
    case "media":
      return "media";
    case "thinking":
    case "provider-item":
      return "answers";
  }
}
